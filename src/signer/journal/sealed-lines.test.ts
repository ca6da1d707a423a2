/** Lines of a file, each sealed with those before it: attacks on a real file, and a disk in memory that gets full. */
import { createHash, createHmac } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  createPowerLossDisk,
  type PowerLossDisk,
  replaceFileSystem,
} from "../../../test/support/power-loss-disk.ts";
import {
  JournalDamaged,
  keyedSeal,
  type LineFormat,
  openSeal,
  openSealedLines,
  readSealedLines,
} from "./sealed-lines.ts";

let disk: PowerLossDisk;
const replaced = replaceFileSystem(() => disk, ["/disk/", "/other-disk/"]);
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-lines-"));
});
beforeEach(() => {
  disk = createPowerLossDisk(() => 0);
});
afterAll(async () => {
  replaced.restore();
  await rm(folder, { recursive: true, force: true });
});

const key = new Uint8Array(32).fill(3);
const seal = keyedSeal(key);
const header = "numbers";
const formatOf = (path: string, copyPath: string | null = null): LineFormat => ({
  path,
  copyPath,
  header,
  seal,
  stranger: "another program",
});

/** The bytes of a file with these lines, the first one its header, as the holder of the key writes it. */
function textOf(bodies: readonly string[]): string {
  let previous = "";
  return bodies
    .map((body) => {
      previous = seal(Buffer.from(body), previous);
      return `${body} ${previous}\n`;
    })
    .join("");
}

/** The bodies that are read from a file with that content. */
async function read(content: string): Promise<readonly string[]> {
  const path = join(folder, "read");
  await writeFile(path, content);
  const bodies: string[] = [];
  await readSealedLines(formatOf(path), (body) => bodies.push(body));
  return bodies;
}

const damaged = (message: string): unknown =>
  expect.objectContaining({
    name: "JournalDamaged",
    message: expect.stringContaining(message) as unknown,
  });

describe("a seal", () => {
  const body = Buffer.from("body");

  it("with a key is HMAC-SHA-256 of the previous seal and the body", () => {
    const expected = createHmac("sha256", key).update("before\nbody").digest("hex");
    expect(seal(body, "before")).toBe(expected);
  });

  it("without one is SHA-256 of the same", () => {
    const expected = createHash("sha256").update("before\nbody").digest("hex");
    expect(openSeal(body, "before")).toBe(expected);
  });
});

describe("a file of sealed lines", () => {
  it("is read back, and named when it is not what it should be", async () => {
    const text = textOf([header, "one", "two ☃"]);
    expect(await read(text)).toEqual(["one", "two ☃"]);
    await expect(read("")).rejects.toEqual(damaged("read has no first line"));
    await expect(read(textOf(["letters", "one"]))).rejects.toEqual(
      damaged("read belongs to another program, or its first line was altered"),
    );
    await expect(read(textOf([header, "one", header]))).rejects.toEqual(
      damaged("read: line 3 does not follow from the one before it"),
    );
  });

  it("must have its space, which no seal covers, and whole seals", async () => {
    const text = textOf([header, "one", "two"]);
    await expect(read(text.replace("two ", "two\t"))).rejects.toEqual(damaged("line 3"));
    await expect(read(`${text}short\n`)).rejects.toEqual(damaged("line 4"));
    await expect(read(`${text}\n`)).rejects.toEqual(damaged("line 4"));
  });

  it("may end with a line that begins with zeroes, but continues after none", async () => {
    const [first = "", one = "", two = ""] = textOf([header, "one", "two"]).match(/.*\n/g) ?? [];
    const torn = `\0\0\0${two.slice(3)}`;
    expect(await read(first + one + torn)).toEqual(["one"]);
    await expect(read(first + one + torn + two)).rejects.toEqual(damaged("line 3"));
    await expect(read(first + one + torn + torn)).rejects.toEqual(damaged("line 3"));
  });

  it("is not created where something else stands in its way", async () => {
    await expect(openSealedLines(formatOf(folder), () => undefined)).rejects.toMatchObject({
      code: "EISDIR",
    });
  });

  it("takes one line at a time, none with a line break, and reads it back from its place", async () => {
    const path = join(folder, "appended");
    const lines = await openSealedLines(formatOf(path), () => undefined);
    const first = lines.append("one");
    await expect(lines.append("two")).rejects.toThrow("at once");
    await first;
    await expect(lines.append("t\nwo")).rejects.toThrow("line break");
    const place = await lines.append("two");
    expect(await lines.read(place)).toBe("two");
    await lines.close();
    expect(await readFile(path, "utf8")).toBe(textOf([header, "one", "two"]));
  });
});

describe("a disk that gets full", () => {
  const path = "/disk/lines";
  const copyPath = "/other-disk/lines";
  const open = () => openSealedLines(formatOf(path, copyPath), () => undefined);

  it.each([
    ["the journal", path],
    ["its copy", copyPath],
  ])("acknowledges no line of which %s has only a part", async (_name, full) => {
    const lines = await open();
    await lines.append("one");
    disk.limit(full, 20);
    const failed: unknown = await lines.append("two").catch((error: unknown) => error);
    expect(failed).toEqual(damaged("cannot be written: the disk is full"));
    expect(() => {
      lines.assertWritable();
    }).toThrow(expect.objectContaining({ name: "JournalDamaged", cause: failed }));
    await expect(lines.append("three")).rejects.toThrow("an earlier write failed");
    await lines.close();
  });

  it("leaves no file open, whatever it refuses", async () => {
    const lines = await open();
    await lines.append("one");
    await lines.close();
    expect(disk.openFiles()).toBe(0);
    await readSealedLines(formatOf(path), () => undefined);
    expect(disk.openFiles()).toBe(0);

    const other = { ...formatOf(path), header: "letters" };
    await expect(readSealedLines(other, () => undefined)).rejects.toThrow(JournalDamaged);
    await expect(openSealedLines(other, () => undefined)).rejects.toThrow(JournalDamaged);
    const another = await openSealedLines(formatOf("/disk/another"), () => undefined);
    await another.append("two");
    await another.close();
    await expect(
      openSealedLines(formatOf("/disk/another", copyPath), () => undefined),
    ).rejects.toThrow("is not a copy");
    expect(disk.openFiles()).toBe(0);
  });
});
