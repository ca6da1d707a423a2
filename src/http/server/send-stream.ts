import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { StreamAnswer } from "./stream-answer.ts";

/** Most bytes that may wait for a reader. A reader that leaves more unread is disconnected and may reconnect. */
const waitingBytesMax = 256 * 1024;
const endingMs = 3_000;

/**
 * Streams a response. The connection closes afterwards, so that a closing server does not wait for readers once the streams have
 * ended.
 */
export function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: StreamAnswer,
): FastifyReply {
  reply.headers({
    ...answer.headers,
    "content-type": answer.contentType,
    connection: "close",
    // Without this, nginx holds data back until a buffer is full.
    "x-accel-buffering": "no",
  });
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(answer.status, reply.getHeaders() as OutgoingHttpHeaders);
  raw.on("error", () => {
    raw.destroy();
  });
  answer.stream({
    write: (text) => {
      if (raw.writableEnded || raw.destroyed) return;
      raw.write(text);
      if (raw.writableLength > waitingBytesMax) raw.destroy();
    },
    end: () => {
      raw.end();
      // A reader that does not even accept the end is not waited for.
      raw.socket?.setTimeout(endingMs, () => raw.destroy());
    },
    onClose: (listener) => {
      if (raw.destroyed || raw.closed) listener();
      else raw.once("close", listener);
    },
  });
  if (request.method === "HEAD") raw.end();
  return reply;
}
