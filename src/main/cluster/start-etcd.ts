import { join } from "node:path";
import { getJson, postJson } from "./ask-json.ts";
import { type ClusterPart, type ClusterSite, loopback } from "./cluster-site.ts";

export type EtcdMember = { readonly name: string; readonly port: number };

const size = 3;

/** Three etcd members, in which Patroni and the pair of signers keep who leads. */
export async function startEtcd(
  site: ClusterSite,
): Promise<ClusterPart & { readonly members: readonly EtcdMember[] }> {
  const { folder, programs, keeper, takePort } = site;
  const members: (EtcdMember & { readonly peerUrl: string })[] = [];
  for (let number = 1; number <= size; number += 1) {
    const port = await takePort();
    const peerUrl = `http://${loopback(await takePort())}`;
    members.push({ name: `etcd-${number}`, port, peerUrl });
  }
  const all = members.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(",");
  const started = await Promise.all(
    members.map(({ name, port, peerUrl }) => {
      const url = `http://${loopback(port)}`;
      return keeper.start({
        name,
        program: programs.etcd,
        args: [
          ...["--name", name, "--data-dir", join(folder, "etcd", name)],
          ...["--listen-client-urls", url, "--advertise-client-urls", url],
          ...["--listen-peer-urls", peerUrl, "--initial-advertise-peer-urls", peerUrl],
          ...["--initial-cluster", all, "--initial-cluster-state", "new"],
          ...["--log-level", "warn"],
        ],
      });
    }),
  );
  // Patroni ends when a member does not know the cluster's version yet.
  const failed = Promise.race(started.map((member) => member.failed));
  await untilHealthy(site, members);
  return {
    members,
    observe: () =>
      Promise.all(
        members.map(async ({ name, port }, index) => ({
          name,
          role: "etcd" as const,
          pid: started[index]?.pid() ?? null,
          address: loopback(port),
          is_leader: await isLeader(port),
        })),
      ),
    failed,
  };
}

async function untilHealthy(
  { clock, teardown }: ClusterSite,
  members: readonly EtcdMember[],
): Promise<void> {
  const giveUp = new AbortController();
  teardown.add("etcd's first election", () => {
    giveUp.abort();
  });
  for (const { port } of members) {
    const version = async (): Promise<unknown> =>
      ((await getJson(`http://${loopback(port)}/version`)) as { etcdcluster?: unknown } | null)
        ?.etcdcluster;
    while (!giveUp.signal.aborted && !/^\d/.test(String(await version())))
      await clock.sleep(100, giveUp.signal);
  }
}

type Status = { readonly header: { readonly member_id: string }; readonly leader: string };

async function isLeader(port: number): Promise<boolean> {
  const status = (await postJson(
    `http://${loopback(port)}/v3/maintenance/status`,
    {},
  )) as Status | null;
  return status !== null && status.leader === status.header.member_id;
}
