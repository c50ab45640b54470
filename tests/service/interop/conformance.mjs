// The conformance suite of MCP against the authorization server: both of its scenarios.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { check, issuer, landlord, say, toolServer } from './scene.mjs';

const folder = mkdtempSync(join(tmpdir(), 'roost-conformance-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

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

const suite = spawn(process.execPath, [
  createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js'), 'authorization',
  '--url', issuer, '--client-id', client, '--resource', toolServer, '--port', String(await freePort()),
  '--output-dir', folder,
], { stdio: ['ignore', 'pipe', 'inherit'] });
createInterface({ input: suite.stdout }).on('line', line => {
  if (line.startsWith(`${issuer}/oauth/authorize?`)) landlord(line);
  else console.error(line);
});
const status = await new Promise(done => suite.once('close', done));

for (const file of readdirSync(folder, { recursive: true }).filter(name => name.endsWith('checks.json')).sort())
  for (const { id, status: result, errorMessage } of JSON.parse(readFileSync(join(folder, file))))
    say(`${id}: ${result}${errorMessage ? ` ${errorMessage}` : ''}`);
check(status === 0, `status ${status}`);
