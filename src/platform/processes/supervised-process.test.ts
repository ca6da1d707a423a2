import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../kernel/system-clock.ts";
import { startSupervised } from "./supervised-process.ts";

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function endsSoon(pid: number): Promise<boolean> {
  for (let waited = 0; waited < 60_000 && isAlive(pid); waited += 50) await systemClock.sleep(50);
  return !isAlive(pid);
}

describe("a supervised process", () => {
  it("keeps the output of a program that ended by itself", async () => {
    const child = startSupervised("/bin/sh", ["-c", "echo started; echo refused >&2; exit 3"], {});
    await child.ended;
    expect(child.hasEnded()).toBe(true);
    expect(child.output()).toContain("started");
    expect(child.output()).toContain("refused");
  });

  it("has ended if the program does not exist", async () => {
    const child = startSupervised("/nonexistent/bitcoind", [], {});
    await child.ended;
    expect(child.output()).toMatch(/not found|No such file/);
  });

  it("is stopped by a SIGTERM that the program can handle", async () => {
    const child = startSupervised(
      "/bin/sh",
      ["-c", "trap 'echo written; exit 0' TERM; echo ready; while :; do sleep 0.05; done"],
      {},
    );
    while (!child.output().includes("ready")) await systemClock.sleep(10);
    child.requestStop();
    await child.ended;
    expect(child.output()).toContain("written");
  });

  it("can be stopped by another signal", async () => {
    // A shell starts background programs with SIGINT ignored, so the program must install a handler, as PostgreSQL does.
    const script = `
    process.on("SIGTERM", () => undefined).on("SIGINT", () => {
      console.log("fast");
      process.exit(0);
    });
    console.log("ready");
    setInterval(() => undefined, 1_000);`;
    const child = startSupervised(process.execPath, ["-e", script], {}, { signal: "INT" });
    expect(await child.printed(/(ready)/)).toBe("ready");
    child.requestStop();
    await child.ended;
    expect(child.output()).toContain("fast");
  });

  it("gets only PATH from our environment", async () => {
    const child = startSupervised("/bin/sh", ["-c", "env"], { GIVEN: "this" });
    await child.ended;
    const names = child
      .output()
      .split("\n")
      .map((line) => line.split("=")[0]);
    expect(
      names.filter((name) => !["PWD", "SHLVL", "OLDPWD", "_"].includes(name ?? "")).sort(),
    ).toEqual(["GIVEN", "LC_ALL", "PATH"]);
  });

  it("rejects waiting for output that never comes when the program ends", async () => {
    const child = startSupervised("/bin/sh", ["-c", "echo 'no such disk' >&2"], {});
    await expect(child.printed(/(ready)/)).rejects.toThrow("/bin/sh ended: no such disk");
  });

  it("is killed if it ignores the signal until the timeout", async () => {
    const child = startSupervised(
      "/bin/sh",
      ["-c", "trap '' TERM; echo $$; while :; do sleep 0.05; done"],
      {},
    );
    const pid = Number(await child.printed(/(\d+)/));
    await child.end(systemClock, 200);
    expect(child.hasEnded()).toBe(true);
    expect(await endsSoon(pid)).toBe(true);
  });

  it("can be killed if it ignores signals", async () => {
    const child = startSupervised(
      "/bin/sh",
      ["-c", "trap '' TERM; echo $$; while :; do sleep 0.05; done"],
      {},
    );
    while (child.output() === "") await systemClock.sleep(10);
    const pid = Number(child.output());
    child.requestStop();
    await systemClock.sleep(200);
    expect(isAlive(pid)).toBe(true);
    child.kill();
    await child.ended;
    expect(await endsSoon(pid)).toBe(true);
  });

  it("ends when its owner is killed by kill -9", async () => {
    const owner = spawn(
      process.execPath,
      [
        "--input-type=module-typescript",
        "-e",
        `import { startSupervised } from ${JSON.stringify(join(import.meta.dirname, "supervised-process.ts"))};
       const child = startSupervised("/bin/sh", ["-c", "echo $$; while :; do sleep 0.05; done"], {});
       const timer = setInterval(() => {
         if (child.output() === "") return;
         console.log(child.output());
         clearInterval(timer);
       }, 10);`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const [printed] = (await once(owner.stdout, "data")) as [Buffer];
    const pid = Number(printed.toString());
    expect(isAlive(pid)).toBe(true);
    owner.kill("SIGKILL");
    await once(owner, "exit");
    expect(await endsSoon(pid)).toBe(true);
  });
});
