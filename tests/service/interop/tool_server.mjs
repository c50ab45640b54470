// A tool server of assistants: MCP over HTTP, with one tool, which asks roost about each token that it is sent.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createServer } from 'node:http';
import { roost, toolServer } from './steps.mjs';

const resource = new URL(toolServer);
const metadata = new URL('/.well-known/oauth-protected-resource', resource).href;

async function introspect(token) {
  const answer = await fetch(`${roost}/oauth/introspect`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${process.env.INTEROP_TOOL_SERVER_KEY}` },
    body: new URLSearchParams({ token }),
  });
  if (answer.status !== 200) throw new Error(`introspection: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

function tools(holder) {
  const server = new McpServer({ name: 'rentals', version: '1.0.0' });
  server.registerTool('whoami', { description: 'Tells whose tools these are' }, () => ({
    content: [{ type: 'text', text: `${holder.username}: ${holder.areas.map(each => `${each.area} ${each.access}`).join(', ')}` }],
  }));
  return server;
}

async function handle(request, response) {
  const url = new URL(request.url, resource);
  if (url.pathname.startsWith('/.well-known/oauth-protected-resource'))
    return response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ resource: resource.href, authorization_servers: [roost], bearer_methods_supported: ['header'] }));
  if (url.pathname !== resource.pathname) return response.writeHead(404).end();
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const holder = token ? await introspect(token) : { active: false };
  if (!holder.active)
    return response
      .writeHead(401, { 'WWW-Authenticate': `Bearer ${token ? 'error="invalid_token", ' : ''}resource_metadata="${metadata}"` })
      .end();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.on('close', () => transport.close());
  await tools(holder).connect(transport);
  await transport.handleRequest(request, response);
}

export async function startToolServer() {
  const server = createServer((request, response) => {
    handle(request, response).catch(error => {
      process.stderr.write(`FAILED tool server: ${error.stack}\n`);
      if (!response.headersSent) response.writeHead(500).end();
    });
  });
  await new Promise(resolve => server.listen(Number(resource.port), '127.0.0.1', resolve));
  server.unref();
}
