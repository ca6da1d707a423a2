import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** What no log may contain: bearer tokens, and passwords in URLs. */
const patterns: readonly RegExp[] = [
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/,
  /\bbearer\s+\w/i,
  /\w:\/\/[^\s/:@"]*:[^\s/@"]+@/,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
];

/** The secrets that the logs (`*.log`) of a folder contain, each with its file; `known` has them by name. */
export async function findLoggedSecrets(
  folder: string,
  known: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".log"));
  if (files.length === 0) throw new Error(`no logs in ${folder}`);
  const found: string[] = [];
  for (const file of files) {
    const text = await readFile(join(folder, file), "utf8");
    for (const [name, secret] of Object.entries(known))
      if (text.includes(secret)) found.push(`${file} contains the ${name}`);
    for (const pattern of patterns) {
      const [match] = pattern.exec(text) ?? [];
      if (match !== undefined) found.push(`${file} contains ${match.slice(0, 60)}`);
    }
  }
  return found;
}
