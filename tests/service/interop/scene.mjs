// What each program of this folder has around it: the service and the tool server, the landlord at a browser, and the
// operator. The test that starts a program drives the browser: it opens what `landlord` asks for, and presses the
// buttons.
//
// A program writes on standard output what it has seen. Whatever is not as it must be throws, and ends it with status 1.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';

export const issuer = process.env.ISSUER;
export const toolServer = process.env.TOOL_SERVER;

export const say = what => console.log(what);

let opened = 0;
/** Has the landlord open a consent page, and agree to it. */
export const landlord = url => console.error(`open ${++opened} ${url}`);

export const check = (holds, what) => {
  if (!holds) throw new Error(what);
};

/** Waits for an error that it gives back. */
export const failure = async promise => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
};

/** Where browsers are sent back to. */
export class Callback {
  static async open() {
    const callback = new Callback();
    await new Promise(done => callback.#server.listen(0, '127.0.0.1', done));
    return callback;
  }

  get uri() {
    return `http://127.0.0.1:${this.#server.address().port}/callback`;
  }

  /** The next address that a browser is sent back to. */
  next() {
    return new Promise(done => {
      this.#called = done;
    });
  }

  /** The landlord agrees to what is asked at an address; where the browser is sent to. */
  consent(url) {
    const back = this.next();
    landlord(url);
    return back;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #called = () => {};
  #server = createServer((request, response) => {
    response.end('You can close this window.');
    const url = new URL(request.url, this.uri);
    if (url.pathname === '/callback') this.#called(url);
  });
}

/** A command of the operator; what it prints. */
export const roost = (...words) =>
  execFileSync(process.env.PROGRAM, [...words, '--config', process.env.CONFIG], { encoding: 'utf8' });

/** The operator ends every connection. */
export function revokeConnections() {
  const connections = roost('connector', 'list').split('\n').filter(Boolean);
  check(connections.length === 1, `${connections.length} connections`);
  for (const connection of connections) roost('connector', 'revoke', connection.split(' ')[0]);
}

/** What the tool server says to who calls its tool with an access token: the HTTP status. */
export async function statusWith(accessToken) {
  const response = await fetch(toolServer, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${accessToken}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  await response.text();
  return response.status;
}
