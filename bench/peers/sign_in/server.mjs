// Signing in as an npm library does it: better-auth on PostgreSQL, behind Node.js's own HTTP server, with as many
// processes as there are cores. Passwords cost what the library chooses (scrypt).
// arguments: POSTGRESQL-URL PORT
//
//   POST /api/auth/sign-in/email {"email","password"}   a login: the cookie of a new session
//   GET /api/auth/get-session                           a refresh: the session's row is written, the cookie is set anew
//   GET /api/auth/get-session?disableRefresh=true       a look-up: the session's row is read
//
// The user bench@landlord.example with the password "a password" is there. `ready` on standard output says that all is.
import cluster from 'node:cluster';
import { createServer } from 'node:http';
import { availableParallelism } from 'node:os';

import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import pg from 'pg';

const [database, port] = process.argv.slice(2);
const options = {
  database: new pg.Pool({ connectionString: database, max: 10 }),
  baseURL: `http://127.0.0.1:${port}`,
  secret: 'a secret of the bench, which nobody needs to guess',
  emailAndPassword: { enabled: true },
  session: { expiresIn: 30 * 86_400, updateAge: 0 },
  rateLimit: { enabled: false },
  logger: { disabled: true },
};
const auth = betterAuth(options);

if (cluster.isPrimary) {
  await (await getMigrations(options)).runMigrations();
  const user = { name: 'Bench', email: 'bench@landlord.example', password: 'a password' };
  const context = await auth.$context;
  if (!await context.internalAdapter.findUserByEmail(user.email)) await auth.api.signUpEmail({ body: user });
  await options.database.end();
  let left = availableParallelism();
  cluster.on('listening', () => --left || console.log('ready'));
  cluster.on('exit', () => process.exit(1));
  for (let i = left; i > 0; --i) cluster.fork();
} else {
  createServer(toNodeHandler(auth)).listen(Number(port), '127.0.0.1');
}
