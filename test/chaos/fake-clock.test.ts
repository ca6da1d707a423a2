import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeWithFakeClock } from "../support/describe-with-fake-clock.ts";
import { eventually } from "../support/eventually.ts";
import { fakeClock } from "./fake-clock.ts";

/** Prints how far its clock is from its steady clock, again and again. */
const program = `
const started = Date.now() - performance.now();
setInterval(() => console.log(Math.round((Date.now() - performance.now() - started) / 1000)), 20);`;

describeWithFakeClock("a clock of a process", (clockLibrary) => {
  it("steps while the process runs, and back", async () => {
    const folder = await mkdtemp(join(tmpdir(), "chaos-clock-"));
    const clock = fakeClock({ clockLibrary, logFolder: folder }, "program");
    const child = spawn(process.execPath, ["-e", program], {
      env: clock.environment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    const last = (): string => printed.trimEnd().split("\n").at(-1) ?? "";
    await eventually(last, (seconds) => seconds === "0");
    for (const seconds of [120, -120]) {
      printed = "";
      const stepping = clock.step(seconds, 5_000);
      await eventually(
        () => printed,
        (text) => text.split("\n").includes(String(seconds)),
      );
      await stepping;
      await eventually(last, (now) => now === "0");
    }
    child.kill();
    await rm(folder, { recursive: true });
    expect(printed).not.toBe("");
  });
});
