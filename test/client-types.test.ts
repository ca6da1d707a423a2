import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeApi } from "../scripts/describe-api.ts";
import { clientTypes, clientTypesPath } from "../scripts/generate-client-types.ts";

describe("client/src/api-types.gen.ts", () => {
  it("is what `npm run generate` writes", async () => {
    expect(readFileSync(clientTypesPath, "utf8")).toBe(clientTypes(await describeApi()));
  });
});
