import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mutations } from "./mutations.ts";

/* `npm run mutations` shows that the tests notice them; here, that there is something to take out. */

describe("a mutation", () => {
  it.each(mutations)("matches one place: $name", ({ file, before, after, fast, history }) => {
    expect(readFileSync(file, "utf8").split(before)).toHaveLength(2);
    expect(after).not.toBe(before);
    for (const test of [fast, history]) expect(existsSync(test.file), test.file).toBe(true);
  });
});
