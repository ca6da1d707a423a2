import { readBody, serveLoopback } from "./loopback-server.ts";

/** The answer of a local server: a status and JSON text. */
export type LocalAnswer = { readonly status: number; readonly body: string };

export type LocalServer = {
  /** Scheme, host and port, without a trailing slash. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

const bodyMax = 64 * 1024;

/** Serves JSON on a free loopback port, in place of an external service. */
export async function startLocalServer(
  answer: (request: {
    readonly method: string;
    readonly path: string;
    readonly body: string;
  }) => LocalAnswer,
): Promise<LocalServer> {
  const { port, close } = await serveLoopback(0, async (request, response) => {
    const body = await readBody(request, bodyMax);
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const { status, body: text } =
      body === null
        ? { status: 413, body: "{}" }
        : answer({ method: request.method ?? "GET", path, body: body.toString("utf8") });
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  });
  return { url: `http://127.0.0.1:${port}`, close };
}
