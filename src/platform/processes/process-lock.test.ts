import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AlreadyRunning, takeProcessLock } from "./process-lock.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-lock-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a process lock", () => {
  it("can be taken once, and again after its release", () => {
    const path = join(folder, "once");
    const lock = takeProcessLock(path);
    expect(() => takeProcessLock(path)).toThrow(AlreadyRunning);
    lock.release();
    lock.release();
    takeProcessLock(path).release();
  });

  it("names its holder when refused, and is free after the holder is killed by kill -9", async () => {
    const path = join(folder, "killed");
    const program = `
    import { takeProcessLock } from ${JSON.stringify(join(import.meta.dirname, "process-lock.ts"))};
    takeProcessLock(${JSON.stringify(path)});
    process.stdout.write("held");
    process.stdin.resume();`;
    const holder = spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    expect(() => takeProcessLock(path)).toThrow(`process ${holder.pid} is already using it`);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    takeProcessLock(path).release();
  });
});
