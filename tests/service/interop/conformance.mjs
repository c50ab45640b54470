// The conformance tests of MCP for authorization servers, both scenarios.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { assert, openInBrowser, roost, run, say, toolServer } from './steps.mjs';

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

async function freePort() {
  const probe = createServer();
  await new Promise(resolve => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address();
  await new Promise(resolve => probe.close(resolve));
  return port;
}

/** Runs it to its end; what it says is given back. */
function conformance(options) {
  return new Promise((resolve, reject) => {
    const tests = spawn(process.execPath, [program, 'authorization', '--url', roost, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    let opened = false;
    const read = data => {
      said += data;
      const url = /(http:\/\/\S+\/oauth\/authorize\?\S+)\s/.exec(said)?.[1];
      if (url && !opened) {
        opened = true;
        openInBrowser(url);
      }
    };
    tests.stdout.on('data', read);
    tests.stderr.on('data', read);
    tests.on('exit', status => (status === 0 ? resolve(said) : reject(new Error(`status ${status}: ${said}`))));
  });
}

run(async () => {
  const port = await freePort();
  const registered = await fetch(`${roost}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Conformance', redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
  });
  const { client_id } = await registered.json();
  const said = await conformance(['--client-id', client_id, '--resource', toolServer, '--port', `${port}`]);
  say(said.replaceAll('\n', ' | '));
  assert.doesNotMatch(said, /SKIPPED|FAILURE|WARNING/);
  assert.match(said, /✓ authorization-server-metadata-endpoint: 2 passed, 0 failed/);
  assert.match(said, /✓ authorization-code-grant: 1 passed, 0 failed/);
});
