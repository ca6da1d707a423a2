import { Card, Group, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

/** A titled section of a page, with an optional action beside the title. */
export function Section({
  title,
  action,
  anchor,
  children,
}: {
  readonly title: string;
  /** What links to this section name after `#`. */
  readonly anchor?: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <Card
      component="section"
      aria-labelledby={id}
      {...(anchor === undefined ? {} : { id: anchor })}
    >
      <Group justify="space-between" mb="md" wrap="wrap">
        <Title order={2} id={id}>
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </Card>
  );
}
