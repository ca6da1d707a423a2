/** What a cluster prints names the configuration file of each process that reads one. */
import { expect, it } from "vitest";
import type { ClusterFile, ClusterProcess } from "../../sandbox/cluster-file.ts";
import { describeCluster } from "./describe-cluster.ts";

const running = (name: string, role: ClusterProcess["role"], pid: number): ClusterProcess => ({
  name,
  role,
  pid,
  address: `127.0.0.1:${pid}`,
});
const file: ClusterFile = {
  base_url: "http://127.0.0.1:8080",
  login: "program",
  password: "secret of the program",
  webhook_secret: "",
  dashboard: { login: "ada", password: "secret of ada" },
  mail_url: "http://127.0.0.1:8025",
  users: [],
  other_account: { login: "", password: "", wallets: [] },
  wallets: [],
  chains: {},
  metrics_url: "http://127.0.0.1:8080/metrics",
  processes: [
    running("postgres-1", "postgres-primary", 11),
    running("signer-1", "signer-standby", 21),
    running("signer-2", "signer-active", 22),
    running("api-1", "api", 31),
    running("worker-3", "worker", 43),
    running("balancer", "balancer", 51),
  ],
  links: [],
};

it("prints the configuration file of each process of Sluice, and that of the commands", () => {
  const lines = describeCluster({ file, missing: [] }, "/home/ada/.sluice");
  const first = lines.indexOf("Configuration files, for `npx sluice ... --config FILE`:");
  expect(first).toBeGreaterThan(0);
  expect(lines.slice(first + 1, lines.indexOf("", first))).toEqual([
    "  signer-1      /home/ada/.sluice/cluster/signer-1.json",
    "  signer-2      /home/ada/.sluice/cluster/signer-2.json",
    "  api-1         /home/ada/.sluice/cluster/api-1.json",
    "  worker-3      /home/ada/.sluice/cluster/worker-3.json",
    "  commands      /home/ada/.sluice/config.json",
  ]);
});

it("prints processes, addresses, and why a chain was not started", () => {
  const missing = [{ chain: "XMR", reason: "monerod was not found" }];
  const lines = describeCluster({ file, missing }, "/home/ada/.sluice");
  expect(lines).toContain("signer-2        signer-active     22      127.0.0.1:22");
  expect(lines).toContain("  Password    secret of ada");
  expect(lines).toContain("XMR           not started: monerod was not found");
});
