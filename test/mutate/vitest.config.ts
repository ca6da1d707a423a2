import { defineConfig } from "vitest/config";

/*
 * The tests of one module, which `npm run mutate` names in the environment. It has no projects, of which each would be started for
 * every mutant, and the database only if the command has started one.
 */
const database = process.env["SLUICE_TEST_DATABASE"];

export default defineConfig({
  test: {
    include: (process.env["SLUICE_MUTATE_TESTS"] ?? "").split(","),
    exclude: ["**/node_modules/**"],
    globalSetup: database === undefined ? [] : ["test/support/global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
