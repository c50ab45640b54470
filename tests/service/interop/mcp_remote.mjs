// mcp-remote as started by a desktop assistant: it speaks MCP over standard streams and handles authorization itself.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

import { check, landlord, revokeConnections, say, toolServer } from './fixture.mjs';

const folder = mkdtempSync(join(tmpdir(), 'roost-mcp-remote-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const browser = join(folder, 'browser'); // does nothing: the test opens the address
writeFileSync(browser, '#!/bin/sh\n', { mode: 0o755 });
const proxy = createRequire(import.meta.url).resolve('mcp-remote/dist/proxy.js');

/** Runs mcp-remote, lists the tools and calls one. */
async function call() {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [proxy, toolServer, '--host', '127.0.0.1', '--transport', 'http-only'],
    env: { HOME: folder, MCP_REMOTE_CONFIG_DIR: join(folder, 'kept'), BROWSER: browser },
    stderr: 'pipe',
  });
  let authorizationUrl;
  createInterface({ input: transport.stderr }).on('line', line => {
    console.error(`mcp-remote: ${line}`);
    if (/^http\S+\/oauth\/authorize\?/.test(line)) authorizationUrl = line;
    // The address is printed before mcp-remote listens for the redirect.
    if (line.includes('Waiting for authorization')) landlord(authorizationUrl);
  });
  const client = new Client({ name: 'interoperability', version: '1.0.0' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  check(tools.length === 1, JSON.stringify(tools));
  const { content } = await client.callTool({ name: tools[0].name, arguments: {} });
  await client.close();
  return content[0].text;
}

/** The files between runs: "tokens" and "client_info". */
const storedFile = kind => {
  const root = join(folder, 'kept');
  return join(root, readdirSync(root, { recursive: true }).find(name => name.endsWith(`_${kind}.json`)));
};
const stored = kind => JSON.parse(readFileSync(storedFile(kind)));
const change = (kind, changes) => writeFileSync(storedFile(kind), JSON.stringify({ ...stored(kind), ...changes }));

say(`authorized: ${await call()}`);
const { refresh_token: first } = stored('tokens');
say(`remembered: ${await call()}`);
check(stored('tokens').refresh_token === first, 'it refreshed needlessly');

change('tokens', { access_token: 'x' });
say(`refreshed: ${await call()}`);
check(stored('tokens').refresh_token !== first, 'the refresh token did not change');

const { client_id: client } = stored('client_info');
revokeConnections();
say(`authorized anew: ${await call()}`);
check(stored('client_info').client_id === client, 'it registered needlessly');

change('tokens', { access_token: 'x' });
change('client_info', { client_id: 'mcp-unknown' });
say(`registered anew: ${await call()}`);
