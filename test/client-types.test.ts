import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeApi } from "../scripts/describe-api.ts";
import { clientTypes, clientTypesPath } from "../scripts/generate-client-types.ts";

test("client/src/api-types.gen.ts is what the API says of itself (else: npm run generate)", async () => {
  expect(readFileSync(clientTypesPath, "utf8")).toBe(clientTypes(await describeApi()));
});
