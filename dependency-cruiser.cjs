/** Each rule is a sentence of docs/architecture.md. */
const feature = "^src/(deposits|transfers|payouts|spends|treasury|wallets|callbacks|rates|screening|travel-rule|checkout|timeline|search|recovery)/";
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-dead-files", severity: "error", from: { orphan: true, path: "^src/", pathNot: "^src/main/" }, to: {} },
    { name: "kernel-imports-nothing", severity: "error", from: { path: "^src/kernel/", pathNot: "\\.test\\.ts$" }, to: { pathNot: "^src/kernel/|^(node:)?(assert|crypto|timers|perf_hooks)" } },
    { name: "ledger-knows-no-feature", severity: "error", from: { path: "^src/ledger/" }, to: { path: "^src/", pathNot: "^src/(ledger|kernel|currencies|db)/" } },
    { name: "foundations-know-no-feature", severity: "error", from: { path: "^src/(db|jobs|files|processes|currencies|accounts)/", pathNot: "\\.test\\.ts$" }, to: { path: "^src/", pathNot: "^src/(kernel|db|files|processes|$1)/" } },
    { name: "features-see-chains-only-through-the-port", severity: "error", from: { path: feature, pathNot: "\\.test\\.ts$" }, to: { path: "^src/chains/", pathNot: "^src/chains/(port|paying-port|chain-adapter|block-sink)\\.ts$" } },
    { name: "an-adapter-knows-no-sibling", severity: "error", from: { path: "^src/chains/(utxo|evm)/", pathNot: "\\.test\\.ts$" }, to: { path: "^src/", pathNot: "^src/(kernel|currencies)/|^src/chains/((port|paying-port|chain-adapter)\\.ts$|rpc/|$1/)" } },
    { name: "a-feature-keeps-its-store", severity: "error", from: { path: "^src/([^/]+)/", pathNot: "^src/(main|db|sandbox)/|\\.test\\.ts$" }, to: { path: "\\.store\\.ts$", pathNot: "^src/($1|ledger)/" } },
    { name: "sql-stays-in-stores", severity: "error", from: { path: "^src/", pathNot: "(\\.store\\.ts$)|(\\.test\\.ts$)|^src/(db|main)/" }, to: { path: "^src/db/(?!(database|micro-batch|admission)\\.ts$)|node_modules/pg/", dependencyTypesNot: ["type-only"] } },
    { name: "http-stays-at-the-edge", severity: "error", from: { path: "^src/", pathNot: "^src/(http|main)/" }, to: { path: "^src/http/|node_modules/fastify/" } },
    { name: "keys-stay-in-the-signer", severity: "error", from: { path: "^src/", pathNot: "^src/(signer/|main/|sandbox/)|\\.test\\.ts$" }, to: { path: "^src/signer/(?!(protocol|signer-client|intent)\\.ts$)|/sign\\.ts$" } },
    { name: "the-signer-stands-alone", severity: "error", from: { path: "^src/signer/", pathNot: "\\.test\\.ts$" }, to: { path: "^src/", pathNot: "^src/(signer|kernel|files|processes)/" } },
    { name: "the-sandbox-stays-aside", severity: "error", from: { path: "^src/", pathNot: "^src/(sandbox|main)/|\\.test\\.ts$" }, to: { path: "^src/sandbox/" } },
    { name: "only-main-wires", severity: "error", from: { path: "^src/", pathNot: "^src/main/" }, to: { path: "^src/main/" } },
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
