import { Agent, fetch, type Response } from "undici";
import type { Clock } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { FetchText, TextRequest } from "../../platform/kernel/fetch-text.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { withEitherSignal } from "../../platform/kernel/with-either-signal.ts";
import { withTimeLimit } from "../../platform/kernel/with-time-limit.ts";

export type FetchTextOptions = {
  readonly clock: Clock;
  /** From connecting to the last byte. */
  readonly timeoutMs?: number;
  /** Maximum response size after decompression. */
  readonly maxBytes?: number;
};

/** Fetches text over the network: no redirects, one deadline for the whole exchange, and a size limit. */
export function createFetchText(options: FetchTextOptions): FetchText {
  const { clock, timeoutMs = 8_000, maxBytes = 4_000_000 } = options;
  const dispatcher = new Agent({ connect: { timeout: timeoutMs }, connections: 4 });
  const exchange = async (request: TextRequest, signal: AbortSignal): Promise<string> => {
    const host = new URL(request.url).host;
    try {
      const response = await fetch(request.url, {
        ...requestInit(request),
        dispatcher,
        redirect: "error",
        signal,
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new Unavailable(host, `responded with status ${response.status}`);
      }
      return await readCapped(response, host, maxBytes);
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      throw new Unavailable(host, reasonOf(error), error);
    }
  };
  return (request, signal) =>
    withTimeLimit(clock, timeoutMs, (expired) =>
      withEitherSignal(signal, expired, (either) => exchange(request, either)),
    );
}

function requestInit(request: TextRequest) {
  const { post, headers } = request;
  if (post === undefined) return { method: "GET", headers: { ...headers } };
  return {
    method: "POST",
    headers: { "content-type": post.contentType, ...headers },
    body: post.body,
  };
}

async function readCapped(response: Response, host: string, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    const bytes = part as Uint8Array;
    size += bytes.length;
    if (size > maxBytes) throw new Unavailable(host, `sent more than ${maxBytes} bytes`);
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** undici hides the actual cause (`ECONNREFUSED`, a redirect) behind "fetch failed". */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error
    ? error.cause.message
    : errorMessage(error);
}
