import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fc } from "../../../test/support/property.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { createKeystore, KeystoreLocked, openKeystore, wordsOfEntropy } from "./keystore.ts";

const cost = { memoryKib: 64, passes: 1, threads: 1 };
const bytes = (text: string) => new TextEncoder().encode(text);
const passphrase = bytes("correct horse battery staple");

let folder = "";
let files = 0;
const newPath = () => {
  files += 1;
  return join(folder, `${files}.json`);
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-keystore-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a keystore", () => {
  it("opens with its own passphrase and no other", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 80 }),
        fc.uint8Array({ minLength: 1, maxLength: 80 }),
        async (right, wrong) => {
          fc.pre(Buffer.compare(right, wrong) !== 0);
          const path = newPath();
          await createKeystore({ path, passphrase: right, random: systemRandom, cost });
          const entropy = await openKeystore(path, right);
          expect(entropy).toHaveLength(32);
          await expect(openKeystore(path, wrong)).rejects.toThrow(KeystoreLocked);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("restores the same seed from 24 words", async () => {
    const path = newPath();
    await createKeystore({ path, passphrase, random: systemRandom, cost });
    const entropy = await openKeystore(path, passphrase);
    const words = wordsOfEntropy(entropy);
    expect(words.split(" ")).toHaveLength(24);

    const restored = newPath();
    const spelled = ` ${words.toUpperCase().replaceAll(" ", "\n ")} `;
    await createKeystore({
      path: restored,
      passphrase: bytes("other"),
      random: systemRandom,
      cost,
      words: spelled,
    });
    expect(await openKeystore(restored, bytes("other"))).toEqual(entropy);
  });

  it("refuses words with a wrong checksum, and fewer than 24", async () => {
    const attempt = (words: string) =>
      createKeystore({ path: newPath(), passphrase, random: systemRandom, cost, words });
    await expect(attempt(`${"abandon ".repeat(23)}about`)).rejects.toThrow();
    await expect(attempt(`${"abandon ".repeat(11)}about`)).rejects.toThrow("24 words");
  });

  it("shares nothing with other keystores, and does not show its seed", async () => {
    const paths = [newPath(), newPath()];
    for (const path of paths) {
      await createKeystore({ path, passphrase, random: systemRandom, cost });
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }
    const [first, second] = await Promise.all(
      paths.map(async (path) => Buffer.from(await openKeystore(path, passphrase))),
    );
    expect(first!.equals(second!)).toBe(false);
    const text = await readFile(paths[0]!, "utf8");
    expect(text).not.toContain(first!.toString("base64"));
    expect(text).not.toContain(first!.toString("hex"));
  });

  it("never overwrites an existing keystore", async () => {
    const path = newPath();
    await createKeystore({ path, passphrase, random: systemRandom, cost });
    const before = await readFile(path, "utf8");
    await expect(createKeystore({ path, passphrase, random: systemRandom, cost })).rejects.toThrow(
      "EEXIST",
    );
    expect(await readFile(path, "utf8")).toBe(before);
  });

  it("does not open an altered file, whichever character was altered", async () => {
    const path = newPath();
    await createKeystore({ path, passphrase, random: systemRandom, cost });
    const text = await readFile(path, "utf8");
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length - 1),
        fc.constantFrom("0", "A", "b", "9"),
        async (at, by) => {
          const altered = text.slice(0, at) + by + text.slice(at + 1);
          fc.pre(JSON.stringify(tryParse(altered)) !== JSON.stringify(tryParse(text)));
          fc.pre(!sameBytes(altered, text));
          const copy = newPath();
          await writeFile(copy, altered);
          await expect(openKeystore(copy, passphrase)).rejects.toThrow(KeystoreLocked);
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    ["memoryKib", 1],
    ["memoryKib", 8 * 1024 * 1024],
    ["passes", 0],
    ["threads", 0.5],
  ])("does not open a file with an altered cost: %s %d", async (name, value) => {
    const path = newPath();
    await createKeystore({ path, passphrase, random: systemRandom, cost });
    const file = JSON.parse(await readFile(path, "utf8")) as { kdf: object };
    await writeFile(path, JSON.stringify({ ...file, kdf: { ...file.kdf, [name]: value } }));
    await expect(openKeystore(path, passphrase)).rejects.toThrow(KeystoreLocked);
  });

  function tryParse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  }

  /** The last character of base64 has unused bits. */
  function sameBytes(left: string, right: string): boolean {
    const sealed = (text: string) => {
      const file = tryParse(text) as { sealed?: string } | null;
      return Buffer.from(file?.sealed ?? "", "base64").toString("hex");
    };
    const rest = (text: string) =>
      JSON.stringify({ ...(tryParse(text) as object | null), sealed: "" });
    return sealed(left) === sealed(right) && rest(left) === rest(right);
  }

  it("refuses a file that demands too much of the machine before any work", async () => {
    const path = newPath();
    await createKeystore({ path, passphrase, random: systemRandom, cost });
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace('"memoryKib": 64', '"memoryKib": 999999999'));
    await expect(openKeystore(path, passphrase)).rejects.toThrow("not a keystore");
  });

  it("refuses an empty passphrase", async () => {
    const attempt = createKeystore({
      path: newPath(),
      passphrase: new Uint8Array(),
      random: systemRandom,
      cost,
    });
    await expect(attempt).rejects.toThrow(KeystoreLocked);
  });
});
