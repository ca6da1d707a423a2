import { ActionIcon, Button, Kbd, Modal, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue, useDisclosure, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { SearchHits } from "./search-hits.tsx";

const label = "ID, transaction, tracking ID, label, address or payment link";

/** Searches deposits, payouts and transfers from any page, by a button or the `/` key. */
export function SearchBox() {
  const [isOpen, { open, close }] = useDisclosure(false);
  useHotkeys([
    ["/", open],
    ["mod+K", open],
  ]);
  return (
    <>
      <Button
        visibleFrom="sm"
        variant="default"
        leftSection={<IconSearch size={16} />}
        rightSection={<Kbd size="xs">/</Kbd>}
        onClick={open}
      >
        Search
      </Button>
      <ActionIcon hiddenFrom="sm" variant="default" size="lg" aria-label="Search" onClick={open}>
        <IconSearch size={18} />
      </ActionIcon>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Search"
        size="lg"
        yOffset="10vh"
        centered={false}
      >
        <Search onChoose={close} />
      </Modal>
    </>
  );
}

function Search({ onChoose }: { readonly onChoose: () => void }) {
  const [text, setText] = useState("");
  const [query] = useDebouncedValue(text.trim(), 250);
  return (
    <Stack>
      <TextInput
        data-autofocus
        type="search"
        label={label}
        leftSection={<IconSearch size={16} />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
        }}
      />
      <SearchHits text={query} isTyping={text.trim() !== query} onChoose={onChoose} />
    </Stack>
  );
}
