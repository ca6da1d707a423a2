/**
 * Commands of the operations guide that no container engine runs here: the scripts inside `docker compose exec` and `kubectl exec`, with a
 * shell in place of the containers, and the keys and certificates of a deployment on Kubernetes, on a machine of their own.
 */
import { execFile, spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeEach, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const guide = readFileSync(join(root, "docs/operations.md"), "utf8");
const scratch = mkdtempSync(join(tmpdir(), "sluice-guide-"));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

/** The guide's text below a title of the third rank. */
function section(title: string): string {
  const from = guide.indexOf(`\n### ${title}\n`);
  expect([title, from > 0]).toEqual([title, true]);
  return guide.slice(from, guide.indexOf("\n### ", from + 1));
}

/** What a shell in a container is given. */
function scriptsIn(text: string): readonly string[] {
  return [...text.matchAll(/ -e?c '([^']*)'/g)].map(([, script = ""]) => script);
}

let place = "";
let environment: Record<string, string> = {};
beforeEach(() => {
  place = mkdtempSync(join(scratch, "state-"));
  environment = {
    PATH: [join(root, "bin"), process.env["PATH"] ?? ""].join(delimiter),
    SLUICE_CONFIG: join(root, "deploy/systemd/sluice.toml"),
    SLUICE__SIGNER__FOLDER: join(place, "signer"),
  };
});

/** Runs it in a container's place; resolves with its output, or rejects with what it said. */
function shell(script: string, input: Uint8Array = new Uint8Array()): Promise<Buffer> {
  const here = script.replaceAll("/var/lib/sluice", place);
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-ec", here], { env: environment, cwd: "/" });
    const output: Buffer[] = [];
    let errors = "";
    child.stdout.on("data", (part: Buffer) => output.push(part));
    child.stderr.on("data", (part: Buffer) => (errors += part.toString()));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(Buffer.concat(output));
      else reject(new Error(errors));
    });
    child.stdin.end(input);
  });
}

describe("the guide's commands for containers", () => {
  const folder = (): string => join(place, "signer");
  const [backUp = "", ...restores] = scriptsIn(section("Back up in containers"));
  const write = (name: string, content: string): void => {
    writeFileSync(join(folder(), name), content, { mode: 0o600 });
  };
  const contents = (path: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((file) => [file.slice(path.length + 1), readFileSync(file, "utf8")]),
    );
  beforeEach(() => {
    mkdirSync(join(folder(), "tls"), { recursive: true, mode: 0o700 });
    for (const name of ["keystore.json", "audit.log", "tls/clients.json"]) write(name, `${name}\n`);
    write("spends.journal", "begin\nspend 1\n");
  });

  it("back up the signer's folder through a pipe, and restore it where another one is", async () => {
    const before = contents(folder());
    const archive = await shell(backUp);
    expect(readdirSync(place)).toEqual(["signer"]);
    write("spends.journal", "begin\nspend 1\nspend 2\n");
    expect(restores).toHaveLength(2);
    expect(new Set(restores).size).toBe(1);
    await shell(restores[0] ?? "", archive);
    expect(contents(folder())).toEqual(before);
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder(), "keystore.json")).mode & 0o777).toBe(0o600);
    const [lost = "", ...others] = readdirSync(place).filter((name) => name !== "signer");
    expect(others).toEqual([]);
    expect(readFileSync(join(place, lost, "spends.journal"), "utf8")).toContain("spend 2");
  });

  it("restore into a volume that is empty", async () => {
    const before = contents(folder());
    const archive = await shell(backUp);
    rmSync(folder(), { recursive: true });
    await shell(restores[0] ?? "", archive);
    expect(contents(folder())).toEqual(before);
    expect(readdirSync(place)).toEqual(["signer"]);
  });

  it("end with an error if there is nothing to back up", async () => {
    rmSync(join(folder(), "keystore.json"));
    await expect(shell(backUp)).rejects.toThrow("it is no signer's folder");
  });

  it("put limits and the list of clients in their places, for the signer alone to read", async () => {
    const writing = ["Run in containers", "Run on Kubernetes"].flatMap((title) =>
      scriptsIn(section(title)),
    );
    expect(writing).toHaveLength(2);
    for (const script of writing) await shell(script, Buffer.from("new\n"));
    for (const name of ["limits.json", "tls/clients.json"]) {
      expect(contents(folder())[name]).toBe("new\n");
      expect(statSync(join(folder(), name)).mode & 0o777).toBe(0o600);
    }
    expect(readdirSync(join(folder(), "tls"))).toEqual(["clients.json"]);
  });
});

describe("the guide's commands for keys on Kubernetes", () => {
  const commands = [...section("Run on Kubernetes").matchAll(/^ *sluice (.*)$/gm)].map(
    ([, words = ""]) => words.split(" "),
  );
  const sluice = (words: readonly string[]): Promise<{ readonly stdout: string }> =>
    run(join(root, "bin/sluice"), words, { cwd: place, env: { PATH: process.env["PATH"] ?? "" } });

  it("make what the secrets contain, and issue and renew with what is kept", async () => {
    const sample = readFileSync(join(root, "deploy/systemd/sluice.toml"), "utf8");
    const setup = sample.replaceAll(/"\/(?:etc\/sluice|var\/lib\/sluice)\/(?:secrets\/)?/g, '"');
    writeFileSync(join(place, "setup.toml"), setup);
    for (const name of ["passphrase", "database-url", "btc-1"])
      writeFileSync(join(place, name), "correct horse battery staple\n", { mode: 0o600 });
    const [create, later] = [commands.slice(0, 3), commands.slice(3)];
    expect(later.map((words) => words[2])).toEqual(["issue", "renew"]);
    for (const words of create) await sluice(words);
    const named = [...section("Run on Kubernetes").matchAll(/--from-file=(?:\w+=)?(\S+)/g)];
    for (const [, file = ""] of named)
      if (!file.startsWith("limits"))
        expect([file, statSync(join(place, file)).size > 0]).toEqual([file, true]);

    const kept = mkdtempSync(join(scratch, "kept-"));
    cpSync(join(place, "setup.toml"), join(kept, "setup.toml"));
    cpSync(join(place, "signer/tls"), join(kept, "signer/tls"), { recursive: true });
    const former = readFileSync(join(place, "signer/tls/clients.json"), "utf8");
    place = kept;
    for (const words of later) await sluice(words);
    expect(readFileSync(join(kept, "signer/tls/clients.json"), "utf8")).not.toBe(former);
    expect(readdirSync(join(kept, "worker")).sort()).toEqual([
      "signer-ca.crt",
      "worker.crt",
      "worker.key",
    ]);
  });
});
