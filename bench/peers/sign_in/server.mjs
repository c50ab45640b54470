// A sign-in server with an npm library: better-auth on PostgreSQL, behind Node.js's own HTTP server, with one process per
// core. Password hashing uses the library's default cost (scrypt).
// arguments: POSTGRESQL-URL PORT
//
//   POST /api/auth/sign-in/email {"email","password"}   login: returns the cookie of a new session
//   GET /api/auth/get-session                           refresh: writes the session's row and sets the cookie again
//   GET /api/auth/get-session?disableRefresh=true       lookup: reads the session's row
//
// Creates the user bench@landlord.example with the password "a password". Prints `ready` when all processes listen.
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
  secret: 'a secret of the bench, which need not be secure',
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
