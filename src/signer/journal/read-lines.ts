import type { Socket } from "node:net";

/** Calls back with each line of at most `lengthMax` UTF-16 units; a longer one ends the connection. */
export function readLines(socket: Socket, lengthMax: number, onLine: (line: string) => void): void {
  let parts: string[] = [];
  let length = 0;
  /** False if the line is too long. */
  const collect = (part: string): boolean => {
    parts.push(part);
    length += part.length;
    if (length <= lengthMax) return true;
    parts = [];
    socket.destroy(new Error("a line is too long"));
    return false;
  };
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    let start = 0;
    for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", start)) {
      if (!collect(chunk.slice(start, end))) return;
      const line = parts.join("");
      parts = [];
      length = 0;
      start = end + 1;
      onLine(line);
    }
    collect(chunk.slice(start));
  });
}
