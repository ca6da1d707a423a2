import type { Duplex } from "node:stream";
import { Rejected, type RejectionName, rejection } from "../../platform/kernel/rejection.ts";
import { errorAnswer } from "../jsonapi/error-document.ts";
import { mediaType } from "./negotiate.ts";

const rows = new Map<string, RejectionName>([
  ["HPE_HEADER_OVERFLOW", "headersTooLarge"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "requestTimeout"],
]);

/** Answers a malformed HTTP request (or one with oversized headers, or one that came too slowly), then closes the connection. */
export function refuseBrokenConnection(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  requestId: string,
): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const row = rows.get(error.code ?? "") ?? "parseError";
  const answer = errorAnswer(
    new Rejected(rejection(row, "The request is not well-formed HTTP.")),
    requestId,
  );
  const body = JSON.stringify(answer.body);
  socket.end(
    `HTTP/1.1 ${answer.status} Refused\r\nContent-Type: ${mediaType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}
