//! Users and roles, switched on.

use std::io;

use serde_json::{Value, json};

use super::{Etcd, call_with};

/// A user of etcd's.
#[derive(Clone, Debug)]
pub struct User {
    /// The name.
    pub name: String,
    /// The password.
    pub password: String,
}

impl User {
    fn new(name: &str, password: &str) -> Self {
        Self {
            name: name.to_owned(),
            password: password.to_owned(),
        }
    }
}

impl Etcd {
    /// Switches users on: there is root, and one who may read and write all keys between `from` and
    /// `to`. Returns root and that one.
    ///
    /// # Errors
    /// When etcd does not answer, or not as it should.
    pub fn switch_users_on(&self, from: &str, to: &str) -> io::Result<[User; 2]> {
        let users = [
            User::new("root", "the root's"),
            User::new("proxy", "the proxy's"),
        ];
        let [root, proxy] = &users;
        let key = json!({ "permType": "READWRITE", "key": base64(from), "range_end": base64(to) });
        let add = |user: &User| json!({ "name": user.name, "password": user.password });
        let steps = [
            ("user/add", add(root)),
            ("user/add", add(proxy)),
            ("role/add", json!({ "name": "root" })),
            ("role/add", json!({ "name": "proxies" })),
            ("role/grant", json!({ "name": "proxies", "perm": key })),
            ("user/grant", json!({ "user": root.name, "role": "root" })),
            (
                "user/grant",
                json!({ "user": proxy.name, "role": "proxies" }),
            ),
            ("enable", json!({})),
        ];
        for (path, body) in steps {
            self.done(&format!("/v3/auth/{path}"), &body, &[])?;
        }
        Ok(users)
    }

    /// Another password for a user, by root. Tokens that were given out are no longer good.
    ///
    /// # Errors
    /// As [`Self::switch_users_on`].
    pub fn change_password(&self, root: &User, user: &User, password: &str) -> io::Result<()> {
        let header = format!("Authorization: {}", self.token(root)?);
        let body = json!({ "name": user.name, "password": password });
        self.done("/v3/auth/user/changepw", &body, &[header])
    }

    /// A token for a user.
    ///
    /// # Errors
    /// As [`Self::switch_users_on`].
    pub fn token(&self, user: &User) -> io::Result<String> {
        let body = json!({ "name": user.name, "password": user.password });
        let answer = self.call(0, "/v3/auth/authenticate", &body)?;
        let token = answer.json()["token"].as_str().map(str::to_owned);
        token.ok_or_else(|| io::Error::other(answer.body_text()))
    }

    fn done(&self, path: &str, body: &Value, headers: &[String]) -> io::Result<()> {
        let answer = call_with(self.control(0), path, &body.to_string(), headers)?;
        match answer.status {
            200 => Ok(()),
            _ => Err(io::Error::other(format!("{path}: {}", answer.body_text()))),
        }
    }
}

/// As etcd's JSON has keys and values.
pub(super) fn base64(text: &str) -> String {
    use base64ct::{Base64, Encoding};
    Base64::encode_string(text.as_bytes())
}
