import { spawn } from "node:child_process";
import { join } from "node:path";
import { commandOf, type Plan } from "./kinds.ts";

/** The exit code of an interrupted command, as shells know it. */
export const interruptedCode = 130;

const scripts = { chaos: "test/chaos/main.ts", simulate: "test/simulation/main.ts" } as const;

export type CommandEnd = {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly output: string;
};

/**
 * Runs the command of a plan; resolves with all it printed. Aborting `signal` interrupts it, and what it started ends with it. It has a
 * process group of its own: an interrupt from the keyboard reaches it once, and not twice, which would end it at once.
 */
export function runCommand(plan: Plan, signal: AbortSignal): Promise<CommandEnd> {
  const [script, ...args] = commandOf(plan);
  const path = join(import.meta.dirname, "../..", scripts[script]);
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const interrupt = (): void => void child.kill("SIGINT");
  signal.addEventListener("abort", interrupt);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      signal.removeEventListener("abort", interrupt);
      // Before it listens for an interrupt, it is ended by it.
      resolve({ code: signal.aborted && code === null ? interruptedCode : code, output });
    });
  });
}
