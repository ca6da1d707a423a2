import { readBody, serveLoopback } from "./loopback-server.ts";

/** What a local server answers: a status, and JSON text. */
export type LocalAnswer = { readonly status: number; readonly body: string };

export type LocalServer = {
  /** Scheme, host and port, without a slash at the end. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

const bodyMax = 64 * 1024;

/** Serves JSON on a free port of the loopback interface, as stand-in for a service of the outside world. */
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
