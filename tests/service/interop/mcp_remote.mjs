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

const keptTokens = () => {
  const kept = join(folder, 'kept');
  const file = readdirSync(kept, { recursive: true }).find(name => name.endsWith('_tokens.json'));
  return join(kept, file);
};
const tokens = () => JSON.parse(readFileSync(keptTokens()));

say(`authorized: ${await call()}`);
const before = tokens();
say(`remembered: ${await call()}`);
check(tokens().refresh_token === before.refresh_token, 'it refreshed without need');

writeFileSync(keptTokens(), JSON.stringify({ ...before, access_token: 'x' }));
say(`refreshed: ${await call()}`);
check(tokens().refresh_token !== before.refresh_token, 'the refresh token did not change');

revokeConnections();
say(`authorized anew: ${await call()}`);
