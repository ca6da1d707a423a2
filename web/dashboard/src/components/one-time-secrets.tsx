import { Alert, Stack, Text } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { type CodeKind, CodeText } from "./code-text.tsx";
import { DetailList } from "./detail-list.tsx";

/** Secrets that are shown only now. */
export function OneTimeSecrets({
  title,
  children,
  secrets,
}: {
  readonly title: string;
  readonly children: React.ReactNode;
  readonly secrets: readonly {
    readonly label: string;
    readonly kind: CodeKind;
    readonly value: string;
  }[];
}) {
  return (
    <Alert color="amber" icon={<IconKey size={20} />} title={title} role="status">
      <Stack gap="sm">
        <Text size="sm" c="var(--mantine-color-text)">
          {children}
        </Text>
        <DetailList
          details={secrets.map(({ label, kind, value }) => ({
            label,
            value: <CodeText value={value} label={kind} />,
          }))}
        />
      </Stack>
    </Alert>
  );
}
