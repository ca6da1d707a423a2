import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import { descendantsOf, stillRunning } from "./process-family.ts";

it.runIf(existsSync("/proc/self/stat"))(
  "finds grandchildren, and which of them remain",
  async () => {
    const shell = spawn("/bin/sh", ["-c", "sh -c 'echo $$; exec sleep 60' & wait"]);
    const [printed] = (await once(shell.stdout, "data")) as [Buffer];
    const sleeper = Number(printed.toString());
    const family = await descendantsOf(present(shell.pid, "the shell's pid"));
    expect(family.map(({ pid }) => pid)).toEqual([sleeper]);
    const ended = once(shell, "close");
    shell.kill("SIGKILL");
    expect((await stillRunning(family)).map(({ pid }) => pid)).toEqual([sleeper]);
    process.kill(sleeper, "SIGKILL");
    await ended;
    await expect.poll(() => stillRunning(family)).toEqual([]);
  },
);
