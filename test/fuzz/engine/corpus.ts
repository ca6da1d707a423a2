import { existsSync, readFileSync, writeFileSync } from "node:fs";

const folder = new URL("../corpus/", import.meta.url);

const fileOf = (target: string): URL => new URL(`${target}.txt`, folder);

/** The inputs that earlier runs found, one in base64 per line. */
export function readCorpus(target: string): readonly Uint8Array[] {
  const file = fileOf(target);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Buffer.from(line, "base64"));
}

/** Replaces the stored inputs of a target, shortest first. */
export function writeCorpus(target: string, inputs: readonly Uint8Array[]): void {
  const lines = [...new Set(inputs.map((input) => Buffer.from(input).toString("base64")))];
  const text = lines
    .toSorted()
    .toSorted((a, b) => a.length - b.length)
    .join("\n");
  writeFileSync(fileOf(target), text === "" ? "" : `${text}\n`);
}
