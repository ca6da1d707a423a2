import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { StreamAnswer } from "./stream-answer.ts";

/** Bytes that may wait for a reader; one that leaves more lying there is cut off, and may come again. */
const waitingBytesMax = 256 * 1024;
const endingMs = 3_000;

/**
 * Answers with what is written over time. The connection carries nothing else afterwards, so that a server that closes waits
 * for no reader once the streams have ended.
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
    // Nginx would otherwise keep back what is written until a buffer is full.
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
      // Whoever does not even take the end in is not waited for.
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
