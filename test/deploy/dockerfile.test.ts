/** The step of deploy/Dockerfile that adds Debian packages, run by a shell with an apt-get that writes down its arguments. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readDockerfile } from "./read-dockerfile.ts";

const scratch = mkdtempSync(join(tmpdir(), "sluice-dockerfile-"));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});
const lists = join(scratch, "lists");
const calls = join(scratch, "calls");
const text = readFileSync(join(import.meta.dirname, "../../deploy/Dockerfile"), "utf8");
const [, step = ""] = /^RUN (if .*)$/m.exec(text) ?? [];

/** Runs the step with an apt-get that ends with `status`, and returns the calls of apt-get. */
function addPackages(packages: string, status = 0): readonly string[] {
  rmSync(calls, { force: true });
  mkdirSync(lists, { recursive: true });
  writeFileSync(join(lists, "index"), "");
  const program = `#!/bin/sh\necho "$@" >> ${calls}\nexit ${status}\n`;
  writeFileSync(join(scratch, "apt-get"), program, { mode: 0o755 });
  const here = step.replaceAll("/var/lib/apt/lists", lists);
  expect(here).toContain(lists);
  const PATH = [scratch, "/usr/bin", "/bin"].join(delimiter);
  execFileSync("/bin/sh", ["-c", here], { env: { PATH, PACKAGES: packages }, stdio: "pipe" });
  return existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [];
}

it("adds the named packages to the image, and leaves no lists of packages behind", () => {
  const install = "install --yes --no-install-recommends monero ca-certificates";
  expect(addPackages("monero ca-certificates")).toEqual(["update", install]);
  expect(existsSync(join(lists, "index"))).toBe(false);
});

it("needs no apt-get without packages", () => {
  expect(text).toMatch(/^ARG PACKAGES=$/m);
  expect(addPackages("", 1)).toEqual([]);
});

it("ends the build if a package cannot be installed", () => {
  expect(() => addPackages("monero", 100)).toThrow();
});

it("looks for programs where Debian's packages put them", () => {
  expect(readDockerfile().environment["PATH"]?.split(delimiter)).toContain("/usr/bin");
});
