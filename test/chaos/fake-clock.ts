import { existsSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";

/** Where Debian's package `libfaketime` puts its library, below a folder for the machine's architecture. */
const libraries = "/usr/lib";
const library = "faketime/libfaketimeMT.so.1";

/** The library that gives a process a clock of its own; null if it is not installed. */
export function findFakeClock(): string | null {
  const folders = existsSync(libraries) ? readdirSync(libraries) : [];
  const found = ["", ...folders].map((folder) => join(libraries, folder, library));
  return found.find((path) => existsSync(path)) ?? null;
}

export type FakeClock = {
  /** What a process is started with, so that it has this clock. Its steady clock, which timers need, is the machine's. */
  readonly environment: Readonly<Record<string, string>>;
  /** Steps the clock of the running process by so many seconds, and back after a while. */
  readonly step: (seconds: number, ms: number) => Promise<void>;
};

/** A clock for the process of that name, which shows the machine's time at first. */
export function fakeClock(
  {
    clockLibrary,
    logFolder,
  }: { readonly clockLibrary?: string | null; readonly logFolder: string },
  name: string,
): FakeClock {
  const file = join(logFolder, `${name}.clock`);
  const set = (seconds: number): void => {
    // Replaced in one step: the process reads it whenever it asks for the time.
    writeFileSync(`${file}.new`, `${seconds < 0 ? "" : "+"}${seconds}s\n`);
    renameSync(`${file}.new`, file);
  };
  set(0);
  return {
    environment: {
      LD_PRELOAD: clockLibrary ?? "",
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    step: async (seconds, ms) => {
      set(seconds);
      await systemClock.sleep(ms);
      set(0);
    },
  };
}
