//! What can befall a call to etcd on its way, and the client that waits for it.

mod broken;
mod crowd;
mod left;
mod middleman;
mod nowhere;
mod scene;
