import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";
import { slowest } from "./test/support/patience.ts";

const common = {
  // Ends a test that hangs. What waits for something has a shorter limit of its own.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  retry: 0,
  // What is looked for again and again shows up late on a busy machine.
  expect: { poll: { timeout: 45_000 * slowest } },
  // Scenarios mostly wait: for a block, an expiry, a retry.
  maxConcurrency: 60,
  pool: "forks",
} as const;

/**
 * For code without JSX: Node imports it as it does in production, without vite. Mocks of modules do not work this way; no test has
 * any.
 */
const native = {
  execArgv: ["--import", new URL("test/support/keep-compiled-code.ts", import.meta.url).href],
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

/** Files that start whole deployments or real nodes, and wait for them most of the time. */
const deployments = [
  "test/scenarios/**/*.test.ts",
  "test/nodes/**/*.test.ts",
  "test/chaos/**/*.test.ts",
  "test/upgrade/**/*.test.ts",
  "test/drill/**/*.test.ts",
];

/**
 * Files that run one after another in a few processes, in any order (`--sequence.shuffle.files`), because starting a process and
 * loading the same modules for each of many short files takes long. What a file leaves open or changes (a global, a variable of the
 * environment, a module's state) reaches the next one: it closes what it opens. A file that changes what others import belongs
 * elsewhere.
 */
const sharing = [
  "accounts",
  "callbacks",
  "chains",
  "currencies",
  "deposits",
  "http",
  "ledger",
  "main",
  "notifications",
  "payouts",
  "platform",
  "reports",
  "sandbox",
  "signer",
  "treasury",
].map((folder) => `src/${folder}/**/*.test.ts`);

/**
 * For two cores: more files at once where they wait for most of their time. Browsers come after all else: two of them keep both
 * cores busy.
 */
export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          ...native,
          name: "deployments",
          include: deployments,
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          ...native,
          name: "code",
          include: ["src/**/*.test.ts", "test/**/*.test.ts", "client/**/*.test.ts"],
          exclude: ["test/browser/**", ...deployments, ...sharing, "**/node_modules/**"],
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          ...native,
          name: "modules",
          include: sharing,
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: "web",
          include: ["web/**/*.test.{ts,tsx}"],
          exclude: ["**/node_modules/**"],
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          ...native,
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
