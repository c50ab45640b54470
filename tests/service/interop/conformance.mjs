// Both scenarios of MCP's conformance suite against the authorization server. The suite is a command, which runs inside
// this program so that it ends with it.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { check, issuer, landlord, say, toolServer } from './fixture.mjs';

const print = console.log;
const folder = mkdtempSync(join(tmpdir(), 'roost-conformance-'));
process.on('exit', () => {
  console.log = print;
  for (const file of readdirSync(folder, { recursive: true }).filter(name => name.endsWith('checks.json')).sort())
    for (const { id, status, errorMessage } of JSON.parse(readFileSync(join(folder, file))))
      say(`${id}: ${status}${errorMessage ? ` ${errorMessage}` : ''}`);
  rmSync(folder, { recursive: true });
});

const freePort = () => new Promise(done => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

const registered = await fetch(`${issuer}/oauth/register`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ client_name: 'Conformance', redirect_uris: ['http://127.0.0.1/callback'] }),
});
check(registered.status === 201, await registered.clone().text());
const { client_id: client } = await registered.json();

console.log = text => String(text).startsWith(`${issuer}/oauth/authorize?`) ? landlord(text) : console.error(text);
const suite = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');
process.argv = [process.execPath, suite, 'authorization', '--url', issuer, '--client-id', client,
  '--resource', toolServer, '--port', String(await freePort()), '--output-dir', folder];
await import(suite);
