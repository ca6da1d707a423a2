import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { SignerSettings } from "./run-signer.ts";

export type SignerChild = {
  readonly socketPath: string;
  /** Resolves when the process has ended, expectedly or not. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts the signer as a child process and resolves when it answers. Rejects when it exits before that, after it has logged the
 * reason. Its environment holds only PATH, the folder of compiled code and, where that is the source, the passphrase.
 */
export async function startSigner(settings: SignerSettings): Promise<SignerChild> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "signer-process.ts"), JSON.stringify(settings)],
    { stdio: ["pipe", "pipe", "inherit"], env: environmentFor(settings) },
  );
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => {
      resolve();
    });
    child.once("error", () => {
      resolve();
    });
  });
  child.stdin.on("error", () => undefined);
  const socketPath = await readFirstLine(child, ended);
  return {
    socketPath,
    ended,
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

function environmentFor({ passphrase }: SignerSettings): Record<string, string> {
  const secret = passphrase.kind === "environment" ? [passphrase.name] : [];
  const variables = ["PATH", "NODE_COMPILE_CACHE", ...secret];
  return Object.fromEntries(variables.map((name) => [name, process.env[name] ?? ""]));
}

function readFirstLine(child: ChildProcess, ended: Promise<void>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const end = text.indexOf("\n");
      if (end !== -1) resolve(text.slice(0, end));
    });
    void ended.then(() => {
      reject(new Error("the signer ended before it was ready"));
    });
  });
}
