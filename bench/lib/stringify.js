// Prints the nanoseconds that JSON.stringify() takes for the object read as JSON from stdin.
// usage: stringify.js SECONDS
const object = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const nanoseconds = Number(process.argv[2]) * 1e9;
let bytes = 0, written = 0, elapsed = 0;
const start = process.hrtime.bigint();
do {
  for (let i = 0; i < 1000; ++i, ++written) bytes += JSON.stringify(object).length;
  elapsed = Number(process.hrtime.bigint() - start);
} while (elapsed < nanoseconds);
console.log(bytes > 0 ? elapsed / written : NaN);
