/**
 * The Kubernetes manifests, with one signer and with a pair: valid by the API's own schemas, with settings that make a valid configuration
 * for each role, confined containers, and signers that only workers and each other reach. No cluster is started: no engine is there
 * on a test machine.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Deployment, StatefulSet } from "kubernetes-models/apps/v1/index";
import { Job } from "kubernetes-models/batch/v1/index";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/index";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/index";
import { ConfigMap, Namespace, Pod as PodModel, Service } from "kubernetes-models/v1/index";
import { afterAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { readConfig } from "../../src/main/config/read-config.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { readDockerfile } from "./read-dockerfile.ts";

type Probe = { readonly exec?: { readonly command: readonly string[] } };
type Container = {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
};
type Pod = {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly automountServiceAccountToken: boolean;
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly initContainers?: readonly Container[];
    readonly containers: readonly Container[];
    readonly volumes: readonly {
      readonly name: string;
      readonly secret?: { readonly secretName: string };
      readonly persistentVolumeClaim?: { readonly claimName: string };
    }[];
  };
};
type Selector = { readonly matchLabels?: Readonly<Record<string, string>> };
type Manifest = {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: Pod;
    readonly selector?: Selector;
    readonly podSelector?: Selector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly object[];
    readonly egress?: readonly object[];
  };
};

const folder = join(import.meta.dirname, "../../deploy/kubernetes");
const scratch = mkdtempSync(join(tmpdir(), "sluice-kubernetes-"));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

/** The manifests of one file, with what a person changes in it. */
function read(file: string, edit = (text: string): string => text): readonly Manifest[] {
  const documents = parseAllDocuments(edit(readFileSync(join(folder, file), "utf8")));
  return documents.map((document) => {
    expect([file, document.errors]).toEqual([file, []]);
    return document.toJS() as Manifest;
  });
}

/** The worker's manifest as its comment says for a pair. */
function naming(text: string): string {
  const first = "SLUICE__SIGNER__REMOTE__HOST, value: signer";
  return text.replace(`${first} }`, `${first}-a }`).replace(/# (- \{ name: \w+__SECOND__)/, "$1");
}

const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
const filesIn = (name: string): readonly string[] =>
  readdirSync(join(folder, name)).map((file) => `${name}/${file}`);
const pairFiles = filesIn("signer-pair");
/** As the guide applies them: the folder itself, and that of its signers. */
const deployments = [
  {
    signers: "one signer",
    manifests: [...files, ...filesIn("signer")].flatMap((file) => read(file)),
  },
  {
    signers: "a pair of signers",
    manifests: [
      ...files.flatMap((file) => read(file, file === "worker.yaml" ? naming : undefined)),
      ...pairFiles.flatMap((file) => read(file)),
    ],
  },
];
const guide = readFileSync(join(folder, "../../docs/operations.md"), "utf8");
const models = {
  ConfigMap,
  Deployment,
  Job,
  Namespace,
  NetworkPolicy,
  Pod: PodModel,
  PodDisruptionBudget,
  Service,
  StatefulSet,
};
const image = readDockerfile();

function findIn(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  return present(
    manifests.find((one) => one.kind === kind && one.metadata.name === name),
    `${kind} ${name}`,
  );
}

/** What a container sets itself and takes from a ConfigMap. */
function variablesOf(
  manifests: readonly Manifest[],
  { env = [], envFrom = [] }: Container,
): ReadonlyMap<string, string> {
  const maps = envFrom.map(({ configMapRef }) => findIn(manifests, "ConfigMap", configMapRef.name));
  return new Map([
    ...maps.flatMap(({ data = {} }) => Object.entries(data)),
    ...env.map(({ name, value }) => [name, value] as const),
  ]);
}

/** What a container's process finds in its environment, with every mounted secret in a folder of this test. */
function environmentOf(
  manifests: readonly Manifest[],
  container: Container,
): Record<string, string> {
  const settings = join(scratch, "sluice.toml");
  const map = findIn(manifests, "ConfigMap", "settings");
  writeFileSync(settings, map.data?.["sluice.toml"] ?? "");
  const given = { ...image.environment };
  for (const [name, value] of variablesOf(manifests, container)) {
    if (!value.startsWith("/run/secrets/")) {
      given[name] = value.replace("/etc/sluice/sluice.toml", settings);
      continue;
    }
    const path = join(scratch, value);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `http://user:hidden@${name.toLowerCase()}\n`);
    given[name] = path;
  }
  return given;
}

function validate(manifest: Manifest): void {
  const Model = models[manifest.kind as keyof typeof models] as unknown as new (
    from: unknown,
  ) => { validate(): void };
  new Model(manifest).validate();
}

const secretFiles = ["ca.crt", "signer.crt", "signer.key", "clients.json", "keystore.json"];
/** Root may write to any file, so it runs the script as the image's user. */
const scriptUser = process.getuid?.() === 0 ? image.user : null;

/** The script that prepares a signer's folder, on folders of this test. */
function arrangeFolder({ name, pod }: { readonly name: string; readonly pod: Pod }) {
  const [script = ""] = pod.spec.initContainers?.[0]?.args ?? [];
  const place = mkdtempSync(join(scratch, `${name}-`));
  const [secrets, state] = [join(place, "secrets"), join(place, "state")];
  for (const made of [secrets, state]) mkdirSync(made);
  if (scriptUser !== null) {
    for (const opened of [scratch, place]) chmodSync(opened, 0o755);
    chownSync(state, scriptUser.uid, scriptUser.gid);
  }
  const here = script
    .replaceAll("/run/secrets/signer", secrets)
    .replaceAll("/var/lib/sluice", state);
  return {
    folder: join(state, "signer"),
    /** As a volume of a secret: readable by the pod's group, writable by no one. */
    secret: (file: string, content: string): void => {
      const path = join(secrets, file);
      rmSync(path, { force: true });
      writeFileSync(path, content, { mode: 0o440 });
      if (scriptUser !== null) chownSync(path, 0, scriptUser.gid);
    },
    start: (): void => {
      execFileSync("/bin/sh", ["-c", here], { ...scriptUser, stdio: "pipe" });
    },
  };
}

describe.each(deployments)("the Kubernetes manifests of $signers", ({ signers, manifests }) => {
  const isPair = signers !== "one signer";
  const find = (kind: string, name: string) => findIn(manifests, kind, name);
  const pods = manifests.flatMap(({ metadata: { name }, spec }) =>
    spec?.template === undefined
      ? []
      : [{ name, role: spec.template.metadata.labels["role"] ?? "", pod: spec.template }],
  );

  it.each(manifests.map((one) => [one.kind, one.metadata.name, one] as const))(
    "describe %s %s as the API's schema requires, in the namespace",
    (kind, name, manifest) => {
      validate(manifest);
      expect(manifest.metadata.namespace).toBe(kind === "Namespace" ? undefined : "sluice");
      expect(name).not.toBe("");
    },
  );

  const signerPods = pods.filter(({ role }) => role === "signer");
  it.each(signerPods)(
    "take $name's certificate and limits from the secret at each start",
    (one) => {
      const { folder, secret, start } = arrangeFolder(one);
      const content = (file: string): string => readFileSync(join(folder, file), "utf8");
      for (const name of secretFiles) secret(name, `first ${name}`);
      start();
      secret("limits.json", "first limits");
      // A start that was interrupted.
      writeFileSync(join(folder, "tls/signer.key.new"), "half", { mode: 0o400 });
      for (const name of secretFiles) secret(name, `second ${name}`);
      start();
      for (const name of ["ca.crt", "signer.crt", "signer.key"])
        expect(content(`tls/${name}`)).toBe(`second ${name}`);
      expect(content("limits.json")).toBe("first limits");
      // The signer's own: a client that was revoked does not come back, and no keystore is replaced.
      expect(content("tls/clients.json")).toBe("first clients.json");
      expect(content("keystore.json")).toBe("first keystore.json");
      secret("limits.json", "second limits");
      start();
      expect(content("limits.json")).toBe("second limits");
      const modes = (readdirSync(folder, { recursive: true }) as string[])
        .sort()
        .map((file) => [file, (statSync(join(folder, file)).mode & 0o777).toString(8)]);
      expect([["", (statSync(folder).mode & 0o777).toString(8)], ...modes]).toEqual([
        ["", "700"],
        ["keystore.json", "600"],
        ["limits.json", "600"],
        ["tls", "700"],
        ["tls/ca.crt", "600"],
        ["tls/clients.json", "600"],
        ["tls/signer.crt", "600"],
        ["tls/signer.key", "600"],
      ]);
    },
  );

  it("show metrics to nobody until the network of Prometheus is named", async () => {
    const settings = join(scratch, "metrics.toml");
    writeFileSync(settings, find("ConfigMap", "settings").data?.["sluice.toml"] ?? "");
    const { http } = await readConfig(settings, {});
    // RFC 5737: an address of documentation, which no machine has.
    expect(http.metrics_networks).toEqual(["192.0.2.0/24"]);
  });

  it("run the four roles, and each workload selects its own pods", () => {
    const roles = ["api", "migrate", "signer", ...(isPair ? ["signer"] : []), "worker"];
    expect(pods.map(({ role }) => role).sort()).toEqual(roles);
    for (const { name, role, pod } of pods) {
      const own = isPair && role === "signer" ? { signer: name } : {};
      expect(pod.metadata.labels).toEqual({ app: "sluice", role, ...own });
      expect(pod.spec.containers.map(({ args }) => args)).toEqual([[role]]);
    }
    for (const { kind, metadata, spec } of manifests) {
      const labels = spec?.template?.metadata.labels ?? { app: "sluice", role: metadata.name };
      if (["Deployment", "StatefulSet", "PodDisruptionBudget"].includes(kind))
        expect(spec?.selector).toEqual({ matchLabels: labels });
    }
  });

  it.each(pods)("configure $name", async ({ name, role, pod }) => {
    const [container] = pod.spec.containers;
    const environment = environmentOf(manifests, present(container ?? null, "a container"));
    const config = await readConfig(environment["SLUICE_CONFIG"] ?? "", environment);
    expect(config.database.url.includes("hidden")).toBe(role !== "signer");
    expect(config.signer.listen?.port).toBe(role === "signer" ? 7643 : undefined);
    const { remote, pair } = config.signer;
    const hosts = signerPods.map((signer) => signer.name);
    const known = [remote?.host, remote?.second?.host].filter((host) => host !== undefined);
    expect(known).toEqual(role === "worker" ? hosts : []);
    const inPair = isPair && role === "signer";
    const self = inPair ? [name, hosts.find((host) => host !== name)] : [undefined, undefined];
    expect([pair?.name, pair?.peer.name]).toEqual(self);
    expect(pair?.peer.host).toBe(pair?.peer.name);
    expect(pair?.witness.endpoints.length).toBe(inPair ? 3 : undefined);
  });

  it.each(pods)("mount every file that $name reads, and no other secret", ({ name, role, pod }) => {
    const needed = {
      api: ["approval-key", "data-key", "database"],
      migrate: ["database"],
      signer: isPair ? ["signer", name, "signer-etcd"] : ["signer"],
      worker: ["data-key", "database", "nodes", "worker-certificate"],
    }[role];
    const secrets = pod.spec.volumes.flatMap(({ secret }) => secret?.secretName ?? []);
    expect(secrets.sort()).toEqual(needed);
    for (const secret of secrets) expect(guide).toContain(`create secret generic ${secret} `);
    for (const container of pod.spec.containers)
      for (const value of variablesOf(manifests, container).values())
        if (value.startsWith("/run/"))
          expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toContain(
            dirname(value),
          );
  });

  it.each(pods)("confine $name", ({ pod: { spec } }) => {
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: image.user.uid,
      seccompProfile: { type: "RuntimeDefault" },
    });
    for (const { securityContext } of [...spec.containers, ...(spec.initContainers ?? [])])
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
  });

  it("probe every lasting role, and allow no drain to end its last pod", () => {
    for (const { role, pod } of pods.filter((one) => one.role !== "migrate")) {
      for (const { startupProbe, livenessProbe, readinessProbe } of pod.spec.containers)
        expect([role, startupProbe, livenessProbe, readinessProbe]).not.toContain(undefined);
      expect(find("PodDisruptionBudget", role).spec).toMatchObject({ minAvailable: 1 });
    }
  });

  it("let only workers reach the signer, and the signer nothing", () => {
    expect(find("NetworkPolicy", "deny-ingress").spec).toEqual({
      podSelector: {},
      policyTypes: ["Ingress"],
    });
    expect(find("NetworkPolicy", "signer").spec).toEqual({
      podSelector: { matchLabels: { app: "sluice", role: "signer" } },
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: { app: "sluice", role: "worker" } } }],
          ports: [{ protocol: "TCP", port: 7643 }],
        },
      ],
      egress: [],
    });
    const policies = manifests.filter(({ kind }) => kind === "NetworkPolicy");
    const admits = policies.filter(({ spec }) =>
      ["signer", undefined].includes(spec?.podSelector?.matchLabels?.["role"]),
    );
    expect(admits.map(({ metadata }) => metadata.name).sort()).toEqual([
      "deny-ingress",
      "signer",
      ...(isPair ? ["signer-pair"] : []),
    ]);
  });
});

it("compares manifests with schemas that refuse what they do not know", () => {
  expect(() => {
    new Deployment({ spec: {} } as never).validate();
  }).toThrow(/required/);
});

it("only receive without the lines that the guide removes", async () => {
  const names = ["api.yaml", "settings.yaml"];
  const paths = names.map((name) => `deploy/kubernetes/${name}`).join(" ");
  expect(guide).toContain(`sed -i '/approval/d; /^ *\\[payouts\\]$/d' ${paths}`);
  const without = (text: string): string =>
    text
      .split("\n")
      .filter((line) => !/approval|^ *\[payouts\]$/.test(line))
      .join("\n");
  const manifests = names.flatMap((name) => read(name, without));
  for (const manifest of manifests) validate(manifest);
  expect(JSON.stringify(manifests)).not.toContain("approval");
  const { spec } = findIn(manifests, "Deployment", "api");
  const [container] = spec?.template?.spec.containers ?? [];
  const environment = environmentOf(manifests, present(container ?? null, "a container"));
  const config = await readConfig(environment["SLUICE_CONFIG"] ?? "", environment);
  expect([config.payouts, config.signer.approval_key_files]).toEqual([undefined, []]);
});

it("name no kind of manifest twice in what is applied together", () => {
  for (const { manifests } of deployments) {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  }
});

describe("the pod that restores a signer's folder", () => {
  const manifests = filesIn("folder").flatMap((file) => read(file));
  const pod = findIn(manifests, "Pod", "folder");
  const spec = pod.spec as unknown as Pod["spec"];

  it("is valid, and confined as a signer's pod", () => {
    for (const manifest of manifests) validate(manifest);
    const signer = findIn(read("signer/signer.yaml"), "StatefulSet", "signer").spec?.template?.spec;
    expect(spec.securityContext).toEqual(signer?.securityContext);
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.containers[0]?.securityContext).toEqual(signer?.containers[0]?.securityContext);
  });

  it("has the claim of the signer's folder, no secret, and no other pod's label", () => {
    const { volumeClaimTemplates: [claim] = [] } = findIn(
      read("signer/signer.yaml"),
      "StatefulSet",
      "signer",
    ).spec as { readonly volumeClaimTemplates?: readonly Pick<Manifest, "metadata">[] };
    const claims = spec.volumes.flatMap(({ persistentVolumeClaim: one }) => one?.claimName ?? []);
    expect(claims).toEqual([`${claim?.metadata.name}-signer-0`]);
    expect(spec.volumes.flatMap(({ secret }) => secret ?? [])).toEqual([]);
    const { labels } = pod.metadata as unknown as Pod["metadata"];
    expect(labels).toEqual({ app: "sluice", role: "folder" });
  });

  it("reaches nothing and is reached by nothing", () => {
    expect(findIn(manifests, "NetworkPolicy", "folder").spec).toEqual({
      podSelector: { matchLabels: { app: "sluice", role: "folder" } },
      policyTypes: ["Ingress", "Egress"],
      ingress: [],
      egress: [],
    });
  });
});

describe("a pair of signers on Kubernetes", () => {
  const manifests = pairFiles.flatMap((file) => read(file));
  const text = (name: string) => readFileSync(join(folder, "signer-pair", `${name}.yaml`), "utf8");
  const withoutTitle = (content: string) => content.slice(content.indexOf("\n"));
  const signers = ["signer-a", "signer-b"] as const;

  it("consists of two equal signers, apart from their names", () => {
    const exchanged = text("signer-a").replace(/signer-[ab]/g, (name) =>
      name === "signer-a" ? "signer-b" : "signer-a",
    );
    expect(withoutTitle(text("signer-b"))).toBe(withoutTitle(exchanged));
  });

  it("copies the folder of a signer as a single signer's pod does", () => {
    const scripts = [...read("signer/signer.yaml"), ...manifests].flatMap(
      ({ spec }) => spec?.template?.spec.initContainers?.map(({ args }) => args) ?? [],
    );
    expect(scripts).toHaveLength(3);
    expect(new Set(scripts.flat()).size).toBe(1);
  });

  it.each(signers)(
    "keeps %s on a volume and a machine of its own, and ends it for nothing",
    (name) => {
      const { spec } = findIn(manifests, "StatefulSet", name);
      expect(spec).toMatchObject({
        replicas: 1,
        // Applying both manifests does not stop both signers.
        updateStrategy: { type: "OnDelete" },
        volumeClaimTemplates: [{ spec: { accessModes: ["ReadWriteOncePod"] } }],
        template: {
          spec: {
            affinity: {
              podAntiAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: [
                  {
                    topologyKey: "kubernetes.io/hostname",
                    labelSelector: { matchLabels: { app: "sluice", role: "signer" } },
                  },
                ],
              },
            },
          },
        },
      });
    },
  );

  it.each(signers)(
    "asks %s for its place in the pair before it is ready, not whether it lives",
    (name) => {
      const { spec } = findIn(manifests, "StatefulSet", name);
      const [container] = spec?.template?.spec.containers ?? [];
      const health = ["/opt/sluice/bin/sluice", "health", "signer"];
      expect(container?.livenessProbe?.exec?.command).toEqual(health);
      expect(container?.startupProbe?.exec?.command).toEqual(health);
      expect(container?.readinessProbe?.exec?.command).toEqual([...health, "--ready"]);
      // The active signer has to find the one that is not ready yet.
      expect(findIn(manifests, "Service", name).spec).toMatchObject({
        clusterIP: "None",
        publishNotReadyAddresses: true,
      });
    },
  );

  it("reaches the other signer, etcd and the names of both, and is reached by the other signer", () => {
    const toSigners = [{ podSelector: { matchLabels: { app: "sluice", role: "signer" } } }];
    const signerPorts = [{ protocol: "TCP", port: 7643 }];
    const { spec } = findIn(manifests, "NetworkPolicy", "signer-pair");
    expect(spec).toEqual({
      podSelector: { matchLabels: { app: "sluice", role: "signer" } },
      policyTypes: ["Ingress", "Egress"],
      ingress: [{ from: toSigners, ports: signerPorts }],
      egress: [
        { to: toSigners, ports: signerPorts },
        {
          to: ["10.0.0.11/32", "10.0.0.12/32", "10.0.0.13/32"].map((cidr) => ({
            ipBlock: { cidr },
          })),
          ports: [{ protocol: "TCP", port: 2379 }],
        },
        {
          to: [
            {
              namespaceSelector: {
                matchLabels: { "kubernetes.io/metadata.name": "kube-system" },
              },
              podSelector: { matchLabels: { "k8s-app": "kube-dns" } },
            },
          ],
          ports: [
            { protocol: "UDP", port: 53 },
            { protocol: "TCP", port: 53 },
          ],
        },
      ],
    });
  });
});
