/** docs/architecture.md explains each rule in a sentence. */
const feature = "^src/(deposits|payouts|treasury|callbacks|reports|currencies/rates|accounts/wallets)/";
const test = "\\.test\\.ts$";

/** What each folder imports besides itself and `platform`. Folders that are not listed (http, sandbox, main) have their own rules below. */
const directions = {
  platform: [],
  accounts: [],
  "accounts/wallets": ["accounts", "currencies"],
  currencies: [],
  ledger: ["currencies"],
  chains: ["currencies", "signer"],
  notifications: ["accounts", "currencies"],
  callbacks: ["accounts", "notifications"],
  deposits: ["accounts", "currencies", "ledger", "chains", "callbacks", "notifications", "payouts/travel-rule"],
  payouts: ["accounts", "currencies", "ledger", "chains", "callbacks", "notifications", "signer", "deposits/transfers", "deposits/screening", "treasury/spends"],
  treasury: ["accounts", "currencies", "ledger", "chains", "notifications", "signer"],
  reports: ["accounts", "currencies", "ledger"],
};

/** Parts of a folder that keep their stores to themselves. */
const parts = ["accounts/wallets", "currencies/rates", "deposits/transfers", "deposits/screening", "payouts/beneficiaries", "payouts/travel-rule", "treasury/spends", "treasury/recovery", "reports/operations", "reports/statistics", "reports/statements", "reports/timeline", "reports/search"];

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-dead-files", severity: "error", from: { orphan: true, path: "^src/", pathNot: "^src/main/" }, to: {} },
    { name: "kernel-imports-nothing", severity: "error", from: { path: "^src/platform/kernel/", pathNot: test }, to: { pathNot: "^src/platform/kernel/|^(node:)?(assert|crypto|timers|perf_hooks|diagnostics_channel)" } },
    ...Object.entries(directions).map(([folder, targets]) => ({
      name: "folders-keep-their-direction", severity: "error",
      from: { path: `^src/${folder}/`, pathNot: folder === "accounts" ? `^src/accounts/wallets/|${test}` : test },
      to: { path: "^src/", pathNot: `^src/(${[folder === "accounts" ? "accounts/(?!wallets/)" : `${folder}/`, "platform/", ...targets.map((target) => `${target}/`)].join("|")})` },
    })),
    { name: "features-see-chains-only-through-the-port", severity: "error", from: { path: feature, pathNot: test }, to: { path: "^src/chains/", pathNot: "^src/chains/(port|paying-port|chain-adapter|block-sink)\\.ts$" } },
    { name: "an-adapter-knows-no-sibling", severity: "error", from: { path: "^src/chains/(utxo|evm|tron|stellar|xrpl|algorand|cardano|monero|ton)/", pathNot: test }, to: { path: "^src/", pathNot: "^src/(platform/kernel|currencies)/|^src/signer/intent\\.ts$|^src/chains/((port|paying-port|chain-adapter|account-addressing|child-keys|ed25519-child-keys|select-coins)\\.ts$|rpc/|$1/)" } },
    { name: "a-feature-keeps-its-store", severity: "error", from: { path: "^src/([^/]+)/", pathNot: `^src/(main|platform|sandbox)/|${test}` }, to: { path: "\\.store\\.ts$", pathNot: "^src/($1|ledger)/" } },
    ...parts.map((part) => ({ name: "a-part-keeps-its-store", severity: "error", from: { path: "^src/", pathNot: `^src/(${part}|main|platform|sandbox)/|${test}` }, to: { path: `^src/${part}/.*\\.store\\.ts$` } })),
    { name: "sql-stays-in-stores", severity: "error", from: { path: "^src/", pathNot: `(\\.store\\.ts$)|${test}|^src/(platform/db|main)/` }, to: { path: "^src/platform/db/(?!(database|columns|micro-batch|admission|classify-error)\\.ts$)|node_modules/pg/", dependencyTypesNot: ["type-only"] } },
    { name: "http-stays-at-the-edge", severity: "error", from: { path: "^src/", pathNot: "^src/(http|main)/" }, to: { path: "^src/http/|node_modules/fastify/" } },
    { name: "keys-stay-in-the-signer", severity: "error", from: { path: "^src/", pathNot: "^src/(signer/|main/|sandbox/)|\\.test\\.ts$" }, to: { path: "^src/signer/(?!(protocol|signer-client|intent)\\.ts$)|/sign\\.ts$" } },
    { name: "the-signer-stands-alone", severity: "error", from: { path: "^src/signer/", pathNot: "\\.test\\.ts$" }, to: { path: "^src/", pathNot: "^src/(signer|platform/kernel|platform/processes)/" } },
    { name: "the-sandbox-stays-aside", severity: "error", from: { path: "^src/", pathNot: "^src/(sandbox|main)/|\\.test\\.ts$" }, to: { path: "^src/sandbox/(?!simulator\\.ts$)" } },
    { name: "only-main-wires", severity: "error", from: { path: "^src/", pathNot: "^src/main/" }, to: { path: "^src/main/" } },
    { name: "connections-load-on-demand", severity: "error", from: { path: "^src/" }, to: { path: "^src/main/families/\\w+-connection\\.ts$", dependencyTypesNot: ["dynamic-import", "type-only"] } },
    { name: "src-never-imports-tests", severity: "error", from: { path: "^src/", pathNot: "\\.test\\.ts$" }, to: { path: "^test/|\\.test\\.ts$" } },
    { name: "declared-dependencies-only", severity: "error", from: { path: "^src/", pathNot: "\\.test\\.ts$" }, to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"] } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
