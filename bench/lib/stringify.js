// Nanoseconds that JSON.stringify() takes for the object whose JSON comes on stdin.
// usage: stringify.js SECONDS
const object = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const nanoseconds = Number(process.argv[2]) * 1e9;
let bytes = 0, written = 0, taken = 0;
const start = process.hrtime.bigint();
do {
  for (let i = 0; i < 1000; ++i, ++written) bytes += JSON.stringify(object).length;
  taken = Number(process.hrtime.bigint() - start);
} while (taken < nanoseconds);
console.log(bytes > 0 ? taken / written : NaN);
