import { readFileSync } from "node:fs";
import { join } from "node:path";

export type ImageSettings = {
  readonly environment: Readonly<Record<string, string>>;
  readonly user: { readonly uid: number; readonly gid: number };
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly ports: readonly number[];
};

/** What the last stage of deploy/Dockerfile sets for its containers. */
export function readDockerfile(): ImageSettings {
  const path = join(import.meta.dirname, "../../deploy/Dockerfile");
  const text = readFileSync(path, "utf8").replaceAll(/\\\n\s*/g, "");
  const lines = text.slice(text.lastIndexOf("\nFROM ")).split("\n");
  const words = (instruction: string): string => {
    const line = lines.find((candidate) => candidate.startsWith(`${instruction} `));
    if (line === undefined) throw new Error(`the Dockerfile has no ${instruction}`);
    return line.slice(instruction.length + 1);
  };
  const list = (json: string): readonly string[] => JSON.parse(json) as readonly string[];
  const [uid = "", gid = ""] = words("USER").split(":");
  return {
    environment: Object.fromEntries(
      words("ENV")
        .trim()
        .split(/\s+/)
        .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
    ),
    user: { uid: Number(uid), gid: Number(gid) },
    entrypoint: list(words("ENTRYPOINT")),
    command: list(words("CMD")),
    healthCheck: list(words("HEALTHCHECK").replace(/^.* CMD /, "")),
    ports: words("EXPOSE").split(" ").map(Number),
  };
}
