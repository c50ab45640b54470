// mcp-remote stands between a client that speaks through pipes and a tool server behind OAuth.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startToolServer } from './tool_server.mjs';
import { assert, openInBrowser, run, say, toolServer } from './steps.mjs';

const program = fileURLToPath(import.meta.resolve('mcp-remote/dist/proxy.js'));

run(async () => {
  await startToolServer();
  const remote = spawn(process.execPath, [program, toolServer, '--allow-http', '--transport', 'http-only'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, MCP_REMOTE_CONFIG_DIR: process.env.INTEROP_FOLDER, BROWSER: 'none' },
  });
  process.on('exit', () => remote.kill());
  let said = '';
  let opened = false;
  remote.stderr.on('data', data => {
    said += data;
    const url = /(http:\/\/\S+\/oauth\/authorize\?\S+)/.exec(said)?.[1];
    if (url && !opened) {
      opened = true;
      openInBrowser(url);
    }
  });
  remote.on('exit', status => {
    process.stderr.write(`FAILED mcp-remote ended with ${status}: ${said}\n`);
    process.exit(1);
  });
  const answers = new Map();
  let rest = '';
  remote.stdout.on('data', data => {
    rest += data;
    for (let end; (end = rest.indexOf('\n')) >= 0; rest = rest.slice(end + 1)) {
      const message = JSON.parse(rest.slice(0, end));
      answers.get(message.id)?.(message);
    }
  });
  const ask = (id, method, params) =>
    new Promise(resolve => {
      answers.set(id, resolve);
      remote.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const hello = await ask(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'interop', version: '1.0.0' },
  });
  assert.equal(hello.result.serverInfo.name, 'rentals');
  say('connected');
  remote.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const called = await ask(2, 'tools/call', { name: 'whoami', arguments: {} });
  assert.equal(called.result.content[0].text, 'ana@casaverde.example: bookings read-only, team edit');
  remote.removeAllListeners('exit');
});
