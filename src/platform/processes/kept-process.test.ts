/** Shows that a program never outlives its owner, however that ends, that its signal is its own, and that what it printed is kept. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../kernel/system-clock.ts";
import { startKept } from "./kept-process.ts";

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function goneSoon(pid: number): Promise<boolean> {
  for (let waited = 0; waited < 60_000 && isAlive(pid); waited += 50) await systemClock.sleep(50);
  return !isAlive(pid);
}

test("a program that ends by itself leaves what it printed", async () => {
  const kept = startKept("/bin/sh", ["-c", "echo started; echo refused >&2; exit 3"], {});
  await kept.ended;
  expect(kept.hasEnded()).toBe(true);
  expect(kept.output()).toContain("started");
  expect(kept.output()).toContain("refused");
});

test("a program that is not there has ended", async () => {
  const kept = startKept("/nonexistent/bitcoind", [], {});
  await kept.ended;
  expect(kept.output()).toMatch(/not found|No such file/);
});

test("the end is a SIGTERM that the program may answer in its own time", async () => {
  const kept = startKept(
    "/bin/sh",
    ["-c", "trap 'echo written; exit 0' TERM; echo ready; while :; do sleep 0.05; done"],
    {},
  );
  while (!kept.output().includes("ready")) await systemClock.sleep(10);
  kept.askToEnd();
  await kept.ended;
  expect(kept.output()).toContain("written");
});

test("the signal to end may be another one", async () => {
  // A shell gives what it starts in the background SIGINT as ignored: the program has to want it, as PostgreSQL does.
  const script = `
    process.on("SIGTERM", () => undefined).on("SIGINT", () => {
      console.log("fast");
      process.exit(0);
    });
    console.log("ready");
    setInterval(() => undefined, 1_000);`;
  const kept = startKept(process.execPath, ["-e", script], {}, { signal: "INT" });
  expect(await kept.printed(/(ready)/)).toBe("ready");
  kept.askToEnd();
  await kept.ended;
  expect(kept.output()).toContain("fast");
});

test("of our environment it gets the path alone", async () => {
  const kept = startKept("/bin/sh", ["-c", "env"], { GIVEN: "this" });
  await kept.ended;
  const names = kept
    .output()
    .split("\n")
    .map((line) => line.split("=")[0]);
  expect(
    names.filter((name) => !["PWD", "SHLVL", "OLDPWD", "_"].includes(name ?? "")).sort(),
  ).toEqual(["GIVEN", "LC_ALL", "PATH"]);
});

test("waiting for words that never come ends with the program", async () => {
  const kept = startKept("/bin/sh", ["-c", "echo 'no such disk' >&2"], {});
  await expect(kept.printed(/(ready)/)).rejects.toThrow("/bin/sh ended: no such disk");
});

test("one that does not heed its signal is killed when patience ends", async () => {
  const kept = startKept(
    "/bin/sh",
    ["-c", "trap '' TERM; echo $$; while :; do sleep 0.05; done"],
    {},
  );
  const pid = Number(await kept.printed(/(\d+)/));
  await kept.end(systemClock, 200);
  expect(kept.hasEnded()).toBe(true);
  expect(await goneSoon(pid)).toBe(true);
});

test("a program that does not listen can be killed", async () => {
  const kept = startKept(
    "/bin/sh",
    ["-c", "trap '' TERM; echo $$; while :; do sleep 0.05; done"],
    {},
  );
  while (kept.output() === "") await systemClock.sleep(10);
  const pid = Number(kept.output());
  kept.askToEnd();
  await systemClock.sleep(200);
  expect(isAlive(pid)).toBe(true);
  kept.kill();
  await kept.ended;
  expect(await goneSoon(pid)).toBe(true);
});

test("it ends when its owner is killed by kill -9", async () => {
  const owner = spawn(
    process.execPath,
    [
      "--input-type=module-typescript",
      "-e",
      `import { startKept } from ${JSON.stringify(join(import.meta.dirname, "kept-process.ts"))};
       const kept = startKept("/bin/sh", ["-c", "echo $$; while :; do sleep 0.05; done"], {});
       const timer = setInterval(() => {
         if (kept.output() === "") return;
         console.log(kept.output());
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
  expect(await goneSoon(pid)).toBe(true);
});
