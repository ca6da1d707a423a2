// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Claims to be USDT, moves nothing, and logs any transfer that its caller asks for.
contract HostileToken {
    string public constant name = "Test Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    event Transfer(address indexed from, address indexed to, uint256 value);

    /// Fails without reverting, as some early tokens do.
    function transfer(address, uint256) external pure returns (bool) {
        return false;
    }

    /// Logs a transfer that did not take place; with a value of zero it is address poisoning.
    function pretend(address from, address to, uint256 value) external {
        emit Transfer(from, to, value);
    }

    /// Logs with any topics behind the transfer's own, and any data.
    function pretendRaw(bytes32[] calldata topics, bytes calldata data) external {
        bytes32 topic = keccak256("Transfer(address,address,uint256)");
        bytes memory copy = data;
        if (topics.length == 0) {
            assembly {
                log1(add(copy, 32), mload(copy), topic)
            }
        } else if (topics.length == 2) {
            bytes32 from = topics[0];
            bytes32 to = topics[1];
            assembly {
                log3(add(copy, 32), mload(copy), topic, from, to)
            }
        } else if (topics.length == 3) {
            bytes32 from = topics[0];
            bytes32 to = topics[1];
            bytes32 id = topics[2];
            assembly {
                log4(add(copy, 32), mload(copy), topic, from, to, id)
            }
        }
    }
}
