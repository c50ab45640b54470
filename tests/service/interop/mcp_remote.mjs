// mcp-remote as a desktop assistant starts it: it speaks MCP over its standard streams, and does the rest itself.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

import { check, landlord, revokeConnections, say, toolServer } from './scene.mjs';

const folder = mkdtempSync(join(tmpdir(), 'roost-mcp-remote-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const browser = join(folder, 'browser'); // shows nothing: the test opens what it is told
writeFileSync(browser, '#!/bin/sh\n', { mode: 0o755 });
const proxy = createRequire(import.meta.url).resolve('mcp-remote/dist/proxy.js');

/** Runs it, lists the tools and calls one. */
async function call() {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [proxy, toolServer, '--host', '127.0.0.1', '--transport', 'http-only'],
    env: { HOME: folder, MCP_REMOTE_CONFIG_DIR: join(folder, 'kept'), BROWSER: browser },
    stderr: 'pipe',
  });
  let asked;
  createInterface({ input: transport.stderr }).on('line', line => {
    console.error(`mcp-remote: ${line}`);
    if (/^http\S+\/oauth\/authorize\?/.test(line)) asked = line;
    // It asks before it listens for the browser to come back.
    if (line.includes('Waiting for authorization')) landlord(asked);
  });
  const client = new Client({ name: 'interoperability', version: '1.0.0' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  check(tools.length === 1, JSON.stringify(tools));
  const { content } = await client.callTool({ name: tools[0].name, arguments: {} });
  await client.close();
  return content[0].text;
}

/** What it keeps in files between its runs: "tokens" and "client_info". */
const keptFile = what => {
  const kept = join(folder, 'kept');
  return join(kept, readdirSync(kept, { recursive: true }).find(name => name.endsWith(`_${what}.json`)));
};
const kept = what => JSON.parse(readFileSync(keptFile(what)));
const change = (what, changes) => writeFileSync(keptFile(what), JSON.stringify({ ...kept(what), ...changes }));

say(`authorized: ${await call()}`);
const { refresh_token: first } = kept('tokens');
say(`remembered: ${await call()}`);
check(kept('tokens').refresh_token === first, 'it refreshed without need');

change('tokens', { access_token: 'x' });
say(`refreshed: ${await call()}`);
check(kept('tokens').refresh_token !== first, 'the refresh token did not change');

const { client_id: client } = kept('client_info');
revokeConnections();
say(`authorized anew: ${await call()}`);
check(kept('client_info').client_id === client, 'it registered without need');

change('tokens', { access_token: 'x' });
change('client_info', { client_id: 'mcp-unknown' });
say(`registered anew: ${await call()}`);
