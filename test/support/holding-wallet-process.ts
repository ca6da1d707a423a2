import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { freePort } from "../../src/platform/processes/free-port.ts";

/*
 * monero-wallet-rpc that can be stopped before it signs, or before it answers: `holding-wallet-process.ts FOLDER PROGRAM ARGUMENT...` runs the program
 * behind a gate. While FOLDER contains a file `hold`, the gate keeps the answer to `sign_transfer` to itself and writes it to `held`; if the
 * file says `request`, it keeps the request instead.
 */

const [folder = "", program = "", ...given] = process.argv.slice(2);
const [hold, held] = [join(folder, "hold"), join(folder, "held")];
const portOption = "--rpc-bind-port=";
const asked = given.find((argument) => argument.startsWith(portOption)) ?? "";
const port = await freePort();
const child = spawn(
  program,
  given.map((argument) => (argument === asked ? `${portOption}${port}` : argument)),
  { stdio: "inherit" },
);
child.once("exit", (code) => process.exit(code ?? 1));
process.once("SIGTERM", () => child.kill("SIGTERM"));

createServer((client) => {
  const upstream = connect(port, "127.0.0.1");
  let isSigning = false;
  client.on("data", (chunk: Buffer) => {
    isSigning ||= chunk.includes('"sign_transfer"') && existsSync(hold);
    if (isSigning && readFileSync(hold, "utf8") === "request") writeFileSync(held, "nothing");
    else upstream.write(chunk);
  });
  let answer = "";
  upstream.on("data", (chunk: Buffer) => {
    // The first request is answered with a challenge.
    if (!isSigning || (answer === "" && chunk.toString().startsWith("HTTP/1.1 401"))) {
      client.write(chunk);
      return;
    }
    answer += chunk.toString();
    if (answer.trimEnd().endsWith("}")) writeFileSync(held, answer);
  });
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.on("error", () => undefined);
    one.on("close", () => other.destroy());
  }
}).listen(Number(asked.slice(portOption.length)), "127.0.0.1");
