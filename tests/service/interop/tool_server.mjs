// A tool server that introspects every token at the service (RFC 7662), and publishes its authorization server (RFC
// 9728). Its only tool returns the caller and the caller's access.
import { createServer } from 'node:http';

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

const { ISSUER: issuer, TOOL_SERVER: resource, KEY: key } = process.env;
const { hostname, port, pathname } = new URL(resource);
const metadataPath = `/.well-known/oauth-protected-resource${pathname}`;

async function introspect(token) {
  const response = await fetch(`${issuer}/oauth/introspect`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}` },
    body: new URLSearchParams({ token }),
  });
  if (response.status !== 200) throw new Error(`introspection: ${response.status} ${await response.text()}`);
  return response.json();
}

function mcp(caller) {
  const server = new McpServer({ name: 'tools of the tests', version: '1.0.0' });
  const areas = caller.areas.map(({ area, access }) => `${area} ${access}`).join(', ');
  server.registerTool('who_am_i', { description: 'Returns the caller and the access that the caller has.' },
    () => ({ content: [{ type: 'text', text: `${caller.username}: ${areas}` }] }));
  return server;
}

function refuse(response) {
  const metadata = new URL(metadataPath, resource).href;
  response.writeHead(401, { 'WWW-Authenticate': `Bearer resource_metadata="${metadata}"` }).end();
}

async function serve(request, response) {
  if (request.url === metadataPath) {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ resource, authorization_servers: [issuer], bearer_methods_supported: ['header'] }));
    return;
  }
  if (request.url !== pathname) return response.writeHead(404).end();
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  const caller = token ? await introspect(token) : { active: false };
  if (!caller.active) return refuse(response);
  if (caller.tokenSource === 'mcp' && caller.aud !== resource) throw new Error(`a token for ${caller.aud}`);
  const server = mcp(caller);
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  response.on('close', () => server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

createServer((request, response) => {
  serve(request, response).catch(error => {
    console.error(error);
    response.writeHead(500).end();
  });
}).listen(Number(port), hostname, () => console.error('listening'));
