import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ClusterPart, type ClusterSite, loopback } from "./cluster-site.ts";

const name = "prometheus";
const rules = join(import.meta.dirname, "../../../deploy/prometheus/alerts.yaml");

/** Prometheus with the alerts of `deploy/prometheus`. `targets`: the ports of api and worker processes, by job. */
export async function startPrometheus(
  { folder, programs, keeper, takePort }: ClusterSite,
  targets: Readonly<Record<string, readonly number[]>>,
): Promise<ClusterPart> {
  const port = await takePort();
  const config = join(folder, "prometheus.json");
  const settings = {
    global: { scrape_interval: "5s", evaluation_interval: "5s" },
    rule_files: [rules],
    scrape_configs: Object.entries(targets).map(([job, ports]) => ({
      job_name: job,
      static_configs: [{ targets: ports.map(loopback) }],
    })),
  };
  // JSON is YAML.
  await writeFile(config, `${JSON.stringify(settings, null, 2)}\n`);
  const started = await keeper.start({
    name,
    program: programs.prometheus,
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, "prometheus")}`,
      `--web.listen-address=${loopback(port)}`,
      "--log.level=warn",
    ],
  });
  return {
    failed: started.failed,
    observe: () =>
      Promise.resolve([{ name, role: "prometheus", pid: started.pid(), address: loopback(port) }]),
  };
}
