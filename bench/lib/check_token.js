// Checks one access token repeatedly with Node.js's own crypto, and prints the nanoseconds per check.
// usage: node check_token.js SECONDS
const { createHmac, timingSafeEqual } = require('crypto');

const key = Buffer.alloc(32, 7);
const part = value => Buffer.from(JSON.stringify(value)).toString('base64url');
const sign = text => createHmac('sha256', key).update(text).digest();
const issued = Math.floor(Date.now() / 1000);
const signed = part({ alg: 'HS256', typ: 'JWT', kid: 'bench' }) + '.' + part({
  typ: 'access', iss: 'https://roost.example', aud: 'https://roost.example',
  sub: '01000000-0000-0000-050d-000000000000', sid: '02000000-0000-0000-0100-000000000000', epoch: 0,
  jti: '7a0c7c7e-9c1e-4c39-8f64-0b5d1d6f2a11', iat: issued, exp: issued + 900,
});
const token = signed + '.' + sign(signed).toString('base64url');

function check(text) {
  const [header, claims, signature] = text.split('.');
  if (JSON.parse(Buffer.from(header, 'base64url')).alg !== 'HS256') return null;
  if (!timingSafeEqual(sign(header + '.' + claims), Buffer.from(signature, 'base64url'))) return null;
  const payload = JSON.parse(Buffer.from(claims, 'base64url'));
  return payload.exp * 1000 > Date.now() && payload.aud === 'https://roost.example' ? payload : null;
}

const seconds = Number(process.argv[2]);
const start = process.hrtime.bigint();
let checked = 0, elapsed;
do {
  for (let i = 0; i < 100; ++i, ++checked) if (!check(token)) process.exit(1);
  elapsed = Number(process.hrtime.bigint() - start);
} while (elapsed < seconds * 1e9);
console.log(elapsed / checked);
